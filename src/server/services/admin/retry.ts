import type { Retried, RetryBody } from '#contract/admin.ts';
import type { RetriedPart } from '#contract/failing.ts';
import { inTransaction } from '../../db/database.ts';
import { recordActivities } from '../../db/journal.ts';
import type { Person } from '../../db/users/people.ts';
import { makeProblemDue } from '../../db/reports/retries.ts';
import type { OperationDeps } from '../deps.ts';

const NOUNS: Record<RetriedPart, string> = {
  accounts_behind: 'an ad account',
  accounts_failing: 'an ad account',
  holds_in_doubt: 'a campaign',
  mail_waiting: 'an email',
  mail_given_up: 'an email',
  readings_failing: 'a subscription',
  leaving_failing: 'an account',
};

/** Makes one problem due now. A problem that has ended is no error. */
export async function retry(deps: OperationDeps, person: Person, { part, id }: RetryBody): Promise<Retried> {
  const isAccount = part === 'accounts_behind' || part === 'accounts_failing';
  const canExist = isAccount ? id.startsWith('act_') : /^\d{1,18}$/.test(id);
  if (!canExist) return { isDue: false, blockedUntil: null };
  const now = deps.clock.now();
  const { isDue, blockedUntil } = await inTransaction(deps.db, async (tx) => {
    const made = await makeProblemDue(tx, { part, id }, now);
    // Without names: the id says whom it concerns.
    const act = { personId: person.id, actor: 'person', type: 'other', event: 'retry' } as const;
    const message = `${person.name} retried ${NOUNS[part]}.`;
    if (made.isDue) await recordActivities(tx, [{ ...act, message, reason: `${part} ${id}` }], now);
    return made;
  });
  deps.wake();
  return { isDue, blockedUntil: blockedUntil === null ? null : new Date(blockedUntil).toISOString() };
}
