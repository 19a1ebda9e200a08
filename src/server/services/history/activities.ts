import type { Api } from '#contract/api.ts';
import type { ResultOf } from '#contract/endpoint.ts';
import { kindsOf, wordsForUser } from '#core/events.ts';
import { HISTORY_DAYS } from '#core/periods.ts';
import { groupText } from '#core/outages/activity-text.ts';
import { days } from '#core/time.ts';
import { findUserActivities } from '../../db/reports/user-activities.ts';
import type { User } from '../../db/users/users.ts';
import type { Clock } from '../../clock.ts';
import type { Needs } from '../deps.ts';
import { requireAccount } from './outages.ts';

const ACTIVITIES = 50;

/** Everything that SmartPause, the user and others did, newest first. */
export async function getActivities(
  { db, clock }: Needs<'db'> & { clock: Pick<Clock, 'now'> },
  user: User,
  query: { cursor?: string | undefined; adAccountId?: string | undefined; search?: string | undefined },
): Promise<ResultOf<Api['activities']>> {
  const { cursor: before, adAccountId: accountId, search } = query;
  await requireAccount(db, user, accountId);
  const found = await findUserActivities(db, {
    ...{ userId: user.id, since: clock.now() - days(HISTORY_DAYS) },
    ...{ before, accountId, search, limit: ACTIVITIES + 1 },
  });
  const page = found.slice(0, ACTIVITIES);
  return {
    activities: page.map(({ id, at, actor, event, facts, campaignId, outageId, ...group }) => ({
      ...{ id, at, actor, kind: kindsOf(event, facts).kind, outageId },
      message: groupText(wordsForUser(event, facts, group)),
      user: actor === 'user' ? user.name : null,
      campaignId: group.count === 1 ? campaignId : null,
    })),
    next: found.length > ACTIVITIES ? (page.at(-1)?.id ?? null) : null,
  };
}
