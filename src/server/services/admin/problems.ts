import type * as z from 'zod/mini';
import type { problem } from '#contract/admin.ts';
import { PAGE_SIZE } from '#contract/admin.ts';
import type { FailingPart } from '#contract/failing.ts';
import { PROBLEM_PARTS } from '#contract/failing.ts';
import { isStale } from '#core/smartpause/status.ts';
import type { Instant } from '#core/time.ts';
import { findProblems, statusPageSilentSince } from '../../db/reports/problems.ts';
import { readStatus } from '../../db/status/status.ts';
import { countUndecryptableTokens } from '../../db/users/tokens.ts';
import type { Needs } from '../deps.ts';

export type ProblemDeps = Needs<'db' | 'cipher' | 'clock' | 'around' | 'staleMs'>;

type Problem = z.input<typeof problem>;

/** All problems, the widest first. */
export async function getProblems(deps: ProblemDeps) {
  const { db, clock } = deps;
  const found = await generalProblems(deps);
  let hasMore = false;
  for (const part of PROBLEM_PARTS) {
    const rows = await findProblems(db, part, { limit: PAGE_SIZE + 1, now: clock.now() });
    hasMore ||= rows.length > PAGE_SIZE;
    found.push(...rows.slice(0, PAGE_SIZE).map((row) => ({ part, ...row })));
  }
  return { problems: found, hasMore };
}

/** Problems of the whole installation. */
async function generalProblems(deps: ProblemDeps): Promise<Problem[]> {
  const { db, around, cipher } = deps;
  const [database, page, closed] = await Promise.all([
    around.database(),
    silentStatusPage(deps),
    countUndecryptableTokens(db, cipher.keyIds),
  ]);
  const [meta, stripe] = [around.platform(), around.billing()];
  return [
    ...(database === 'fine' ? [] : [general('database', null, database)]),
    ...(meta === null ? [] : [general('meta', meta.since, meta.lastError)]),
    ...page,
    ...(stripe === null ? [] : [general('stripe', stripe.since, stripe.lastError)]),
    ...(closed === 0 ? [] : [{ ...general('tokens_closed', null, null), failures: closed }]),
  ];
}

async function silentStatusPage({
  db,
  clock,
  staleMs,
}: Needs<'db' | 'clock' | 'staleMs'>): Promise<Problem[]> {
  const status = await readStatus(db);
  if (isStale(status.checkedAt, clock.now(), staleMs))
    return [general('status_page', status.checkedAt, 'not read')];
  if (status.trueLevel !== 'UNKNOWN') return [];
  return [general('status_page', await statusPageSilentSince(db), status.message)];
}

function general(part: FailingPart, since: Instant | null, lastError: string | null): Problem {
  const none = { id: null, accountId: null, campaign: null, kind: null, nextAt: null, blockedUntil: null };
  return { part, ...none, users: [], since, failures: 0, lastError };
}
