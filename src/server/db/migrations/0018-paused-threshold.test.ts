import { expect, test } from 'vitest';
import { freshDatabase } from '../../../../test/support/database.ts';
import { migrate } from '../migrate.ts';
import { migrations } from './index.ts';

test('an upgrade takes the threshold of a pause from its activity', async () => {
  const previous = Object.entries(migrations).filter(([name]) => name < '0018');
  const database = await freshDatabase({ migrations: Object.fromEntries(previous) });
  try {
    await database.pool.query(`
      insert into app_user (id, platform_user_id, name, resume_settings, logged_in_at, created_at)
        overriding system value values (1, 'p1', 'Ann', '{}', now(), now());
      insert into hold (user_id, account_id, campaign_id, state, created_at)
        values (1, 'act_1', 'c1', 'paused', now()), (1, 'act_1', 'c2', 'pausing', now());
      insert into activity (user_id, type, message, at, event, actor, hold_id, reason)
        select 1, 'pause', 'It was paused.', now(), 'paused', 'smartpause', id, 'HIGH_DISRUPTION meets LOW'
        from hold where campaign_id = 'c1'`);
    expect(
      await migrate(
        database,
        Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0019')),
      ),
    ).toEqual(['0018-paused-threshold']);
    const { rows } = await database.pool.query(
      `select campaign_id, paused_threshold from hold order by campaign_id`,
    );
    expect(rows).toEqual([
      { campaign_id: 'c1', paused_threshold: 'LOW' },
      { campaign_id: 'c2', paused_threshold: null },
    ]);
  } finally {
    await database.close();
  }
});
