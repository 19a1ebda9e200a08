import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import { nextMailTo } from '../../../../test/support/mail.ts';
import { changesOf } from '../../../../test/support/product.ts';
import { pullBackTimes } from '../../db/clock-put-back.ts';

describe('a clock that was a day ahead and is set back', () => {
  const suite = engineSuite();
  const { report, advertiser, become, holdsOf, settled } = suite;

  /** Rows of a process that was a day ahead and died: leases, due times and reads lie in the future. */
  async function aDayAhead(): Promise<void> {
    const day = sql`interval '1 day'`;
    await suite.product.app.db.transaction().execute(async (tx) => {
      await sql`update work_item set next_due_at = now() + ${day}, lease_owner = 'dead', lease_until = now() + ${day},
        fencing_token = fencing_token + 1, blocked_until = now() + ${day}`.execute(tx);
      await sql`update hold set retry_at = now() + ${day}, sent_at = now() + ${day}, suspected_since = now() + ${day},
        suspected_status = 'ACTIVE' where state <> 'ended'`.execute(tx);
      await sql`update notification set due_at = now() + ${day}, lease_until = now() + ${day} where sent_at is null`.execute(
        tx,
      );
      await sql`update platform_status set poller = 'dead', poller_until = now() + ${day}, known = 'UP',
        effective = 'UP', true_level = 'UP', checked_at = now() + ${day},
        match_since = (select jsonb_object_agg(threshold, (extract(epoch from now() + ${day}) * 1000)::bigint)
          from unnest(array['LOW', 'MEDIUM', 'HIGH']) threshold)`.execute(tx);
    });
  }

  test('[ENG-06, ENG-14] holds are resumed now and reported, not a day later', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await report('High disruptions', 'HIGH_DISRUPTION');
    await become(who, ['PAUSED']);
    await settled(who);
    await aDayAhead();
    await suite.simulators.status.reports('Resolved');
    await suite.until('the time of the last copy to be corrected', async () => {
      const [hold] = await holdsOf(who.accountId);
      return (hold?.sent_at?.getTime() ?? Infinity) <= suite.product.clock.now();
    });
    suite.product.clock.advance(66_000);
    await become(who, ['ACTIVE']);
    const resumedAt = suite.product.clock.now();
    await nextMailTo(suite, who.email, /resumed 1 campaign/);
    expect(suite.product.clock.now() - resumedAt).toBeLessThan(3_600_000);
    expect(await changesOf(suite.simulators, who.campaignIds[0] ?? '')).toEqual(['PAUSED', 'ACTIVE']);
  });

  test('[ENG-11] unset times stay unset: no external change looks like a late write of ours', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await report('High disruptions', 'HIGH_DISRUPTION');
    await become(who, ['PAUSED']);
    await settled(who);
    const { clock, app } = suite.product;
    const leases = { pollerMs: 30_000, workItemMs: 30_000 };
    expect(await pullBackTimes(app.db, clock.now() - 86_400_000, leases)).toBe(true);
    const [hold] = await holdsOf(who.accountId);
    expect(hold).toMatchObject({ sent_at: null, retry_at: null });
    const users = app.db.selectFrom('app_user').where('platform_user_id', '=', who.userId);
    expect(await users.select(['threshold_edited_at', 'match_ended_at']).executeTakeFirst()).toEqual({
      threshold_edited_at: null,
      match_ended_at: null,
    });
  });
});
