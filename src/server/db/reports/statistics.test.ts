import { expect, test } from 'vitest';
import { accessUntil } from '#core/billing/subscription.ts';
import { days } from '#core/time.ts';
import { plantUser, useFreshDb } from '../../../../test/support/database.ts';
import { readStatistics } from './statistics.ts';

const db = useFreshDb();

test('[ADMIN-01] active users are set up and have a subscription that has not ended', async () => {
  const now = Date.now();
  const USERS = [
    ['active', true, 1],
    ['canceled', true, 1],
    ['past_due', true, 1],
    ['trialing', true, -1],
    ['trialing', false, 1],
  ] as const;
  for (const [status, isSetUp, endsInDays] of USERS) {
    const userId = await plantUser(db(), { initializedAt: isSetUp ? new Date(now) : null });
    const plan = { source: 'stripe', status, planType: 'monthly', renews: true } as const;
    const currentPeriodEnd = now + days(endsInDays);
    const until = accessUntil({ ...plan, currentPeriodEnd, canceledAt: null, trialEnd: null });
    const dates = { currentPeriodEnd: new Date(currentPeriodEnd), accessUntil: until && new Date(until) };
    await db()
      .insertInto('subscriptions')
      .values({ userId, ...plan, ...dates })
      .execute();
  }
  expect(await readStatistics(db(), now)).toEqual({ totalUsers: 5, activeUsers: 2, smartPauseCampaigns: 0 });
});
