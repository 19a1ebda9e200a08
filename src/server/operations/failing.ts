import type { Failing } from '#contract/admin-overview.ts';
import type { FailingPart } from '#contract/failing.ts';
import { FAILING_PARTS } from '#contract/failing.ts';
import { isStale } from '#core/smartpause/status.ts';
import type { Instant } from '#core/time.ts';
import type { Trouble } from '#core/trouble.ts';
import { readFailing, statusPageSilentSince } from '../db/failing.ts';
import { readStatus } from '../db/status.ts';
import { countClosedTokens } from '../db/tokens.ts';
import type { OperationDeps } from './deps.ts';

/** All that fails around us, the most far-reaching first; nothing when all is well. */
export async function getFailing(deps: OperationDeps): Promise<Failing[]> {
  const { db, clock, around, vault } = deps;
  const [database, rows, page, closed] = await Promise.all([
    around.database(),
    readFailing(db, clock.now()),
    silentStatusPage(deps),
    countClosedTokens(db, vault.keyIds),
  ]);
  const found = [
    ...(database === 'fine' ? [] : [failing('database', { lastError: database })]),
    ...trouble('meta', around.platform()),
    ...page,
    ...trouble('stripe', around.billing()),
    ...(closed === 0 ? [] : [failing('tokens_closed', { count: closed, lastError: null })]),
    ...rows.flatMap((row) => {
      const part = FAILING_PARTS.find((known) => known === row.part);
      return part === undefined ? [] : [failing(part, row)];
    }),
  ];
  const rank = ({ part }: Failing) => FAILING_PARTS.findIndex((known) => known === part);
  return found.sort((a, b) => rank(a) - rank(b));
}

/** Also when nobody looks: what was read last says nothing any more then. */
async function silentStatusPage({ db, clock, staleMs }: OperationDeps): Promise<Failing[]> {
  const status = await readStatus(db);
  if (isStale(status.checkedAt, clock.now(), staleMs)) {
    return [failing('status_page', { since: status.checkedAt, lastError: 'nobody has read it' })];
  }
  if (status.trueLevel !== 'UNKNOWN') return [];
  return [failing('status_page', { since: await statusPageSilentSince(db), lastError: status.message })];
}

function trouble(part: FailingPart, found: Trouble | null): Failing[] {
  return found === null ? [] : [failing(part, found)];
}

function failing(
  part: FailingPart,
  {
    since = null,
    count = null,
    lastError,
  }: { since?: Instant | null; count?: number | null; lastError: string | null },
): Failing {
  return { part, since: since === null ? null : new Date(since).toISOString(), count, lastError };
}
