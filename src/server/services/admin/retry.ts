import type { RetryBody } from '#contract/admin.ts';
import type { RetriedPart } from '#contract/failing.ts';
import { inTransaction } from '../../db/database.ts';
import { recordActivities } from '../../db/activities.ts';
import type { User } from '../../db/users/users.ts';
import { makeProblemDue } from '../../db/reports/retries.ts';
import type { Needs } from '../deps.ts';

const NOUNS: Record<RetriedPart, string> = {
  accounts_behind: 'an ad account',
  accounts_failing: 'an ad account',
  holds_unconfirmed: 'a campaign',
  notification_waiting: 'an email',
  notification_failed: 'an email',
  readings_failing: 'a subscription',
  leaving_failing: 'an account',
};

/** Makes one problem due now. A problem that has ended is no error. */
export async function retry(deps: Needs<'db' | 'clock' | 'wake'>, user: User, { part, id }: RetryBody) {
  const isAccount = part === 'accounts_behind' || part === 'accounts_failing';
  const canExist = isAccount ? id.startsWith('act_') : /^\d{1,18}$/.test(id);
  if (!canExist) return { isDue: false, blockedUntil: null };
  const now = deps.clock.now();
  const retried = await inTransaction(deps.db, async (tx) => {
    const made = await makeProblemDue(tx, { part, id }, now);
    // Without names: the id identifies the user.
    const act = { userId: user.id, actor: 'user', type: 'other', event: 'retry' } as const;
    const message = `${user.name} retried ${NOUNS[part]}.`;
    if (made.isDue) await recordActivities(tx, [{ ...act, message, reason: `${part} ${id}` }], now);
    return made;
  });
  deps.wake();
  return retried;
}
