import type { Problem, Problems } from '#contract/admin.ts';
import { PAGE_SIZE } from '#contract/admin.ts';
import type { FailingPart } from '#contract/failing.ts';
import { STUCK_PARTS } from '#contract/failing.ts';
import { isStale } from '#core/smartpause/status.ts';
import type { Instant } from '#core/time.ts';
import { findProblems, statusPageSilentSince } from '../../db/reports/problems.ts';
import { readStatus } from '../../db/status/status.ts';
import { countClosedTokens } from '../../db/users/tokens.ts';
import type { OperationDeps } from '../deps.ts';

/** Everything that fails or is stuck, the most far-reaching first. */
export async function getProblems(deps: OperationDeps): Promise<Problems> {
  const { db, clock } = deps;
  const found = await generalProblems(deps);
  let hasMore = false;
  for (const part of STUCK_PARTS) {
    const rows = await findProblems(db, part, { limit: PAGE_SIZE + 1, now: clock.now() });
    hasMore ||= rows.length > PAGE_SIZE;
    for (const { since, nextAt, blockedUntil, ...rest } of rows.slice(0, PAGE_SIZE)) {
      const times = { since: iso(since), nextAt: iso(nextAt), blockedUntil: iso(blockedUntil) };
      found.push({ part, ...rest, ...times });
    }
  }
  return { problems: found, hasMore };
}

/** The problems of the whole installation. */
async function generalProblems(deps: OperationDeps): Promise<Problem[]> {
  const { db, around, vault } = deps;
  const [database, page, closed] = await Promise.all([
    around.database(),
    silentStatusPage(deps),
    countClosedTokens(db, vault.keyIds),
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

async function silentStatusPage({ db, clock, staleMs }: OperationDeps): Promise<Problem[]> {
  const status = await readStatus(db);
  if (isStale(status.checkedAt, clock.now(), staleMs))
    return [general('status_page', status.checkedAt, 'not read')];
  if (status.trueLevel !== 'UNKNOWN') return [];
  return [general('status_page', await statusPageSilentSince(db), status.message)];
}

function general(part: FailingPart, since: Instant | null, lastError: string | null): Problem {
  const none = { id: null, accountId: null, campaign: null, kind: null, nextAt: null, blockedUntil: null };
  return { part, ...none, people: [], since: iso(since), failures: 0, lastError };
}

function iso(at: Instant | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
