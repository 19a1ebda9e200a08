import { expect, test } from 'vitest';
import { freshDatabase } from '../../../../test/support/database.ts';
import { migrate } from '../migrate.ts';
import { migrations } from './index.ts';

test('an upgrade keeps every hold, with its state in the new terms', async () => {
  const upTo = (last: string) =>
    Object.fromEntries(Object.entries(migrations).filter(([name]) => name < last));
  const database = await freshDatabase({ migrations: upTo('0019') });
  try {
    await database.pool.query(`
      insert into app_user (id, platform_user_id, name, resume_settings, logged_in_at, created_at)
        overriding system value values (1, 'p1', 'Ann', '{}', now(), now());
      insert into hold (user_id, account_id, campaign_id, state, unconfirmed, sent_at, resumed_at, pending_release, created_at)
        select 1, 'act_1', id, state, unconfirmed, sent::timestamptz, resumed::timestamptz, release, now() from (values
        ('held', 'paused', false, now(), null, null),
        ('lost pause', 'pausing', true, now(), null, null),
        ('refused pause', 'pausing', false, now(), null, null),
        ('watched', 'resuming', true, now(), now(), null),
        ('resumed', 'resuming', false, null, now(), null),
        ('waiting', 'paused', false, null, now(), 'manual_pause'),
        ('restored', 'pausing', true, now(), now(), 'paused_outside')
      ) as old(id, state, unconfirmed, sent, resumed, release)`);
    expect(await migrate(database, upTo('0020'))).toEqual(['0019-one-direction']);
    const { rows } = await database.pool.query(
      `select campaign_id as id, state, reason, release, sent_at is not null as unconfirmed from hold order by campaign_id collate "C"`,
    );
    expect(rows).toEqual([
      { id: 'held', state: 'paused', reason: null, release: null, unconfirmed: false },
      { id: 'lost pause', state: 'pausing', reason: null, release: null, unconfirmed: true },
      { id: 'refused pause', state: 'pausing', reason: null, release: null, unconfirmed: false },
      { id: 'restored', state: 'pausing', reason: null, release: 'paused_outside', unconfirmed: true },
      { id: 'resumed', state: 'ended', reason: null, release: null, unconfirmed: false },
      { id: 'waiting', state: 'ended', reason: 'manual_pause', release: null, unconfirmed: false },
      { id: 'watched', state: 'resumed', reason: null, release: null, unconfirmed: true },
    ]);
  } finally {
    await database.close();
  }
});
