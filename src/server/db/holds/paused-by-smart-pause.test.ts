import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { plantUser, useFreshDb } from '../../../../test/support/database.ts';
import { listCampaigns } from '../campaigns.ts';
import { countHeld } from './holds.ts';
import { findHeld, findHolders } from '../reports/notified-activities.ts';

describe('isPausedBySmartPause', () => {
  const db = useFreshDb();

  beforeAll(() => plantUser(db()));
  afterEach(async () => {
    for (const table of ['holds', 'smartpause_settings', 'campaigns'])
      await sql`delete from ${sql.table(table)}`.execute(db());
  });

  test.each([
    ['paused', 'PAUSED', 'ON', true],
    ['resuming', 'PAUSED', 'ON', true],
    // A read showed our pause before Meta answered the write.
    ['pausing', 'PAUSED', 'ON', true],
    // Resumed outside SmartPause, not verified yet.
    ['paused', 'ACTIVE', 'ON', false],
    // Our write is still running.
    ['pausing', 'ACTIVE', 'ON', false],
    ['resuming', 'ACTIVE', 'ON', false],
    ['paused', 'PAUSED', 'OFF', false],
    ['ended', 'PAUSED', 'ON', false],
  ])('[ENG-11, DASH-08] %s, last read %s, SmartPause %s', async (state, status, setting, isHeld) => {
    await sql`
      insert into campaigns (id, account_id, name, status, objective, seen_at)
      values ('5', 'act_5', 'Shoes', ${status}, 'X', now())`.execute(db());
    await sql`
      insert into smartpause_settings (user_id, campaign_id, account_id, setting, changed_at)
      values (1, '5', 'act_5', ${setting}, now())`.execute(db());
    const ended = state === 'ended' ? new Date() : null;
    await sql`
      insert into holds (user_id, account_id, campaign_id, state, threshold, level, decided_at, read_at, paused_at,
        ended_at, outcome)
      values (1, 'act_5', '5', ${state}, 'MEDIUM', 'MEDIUM_DISRUPTION', now(), now(), now(), ${ended},
        ${ended && 'resumed'})`.execute(db());
    const [campaign] = await listCampaigns(db(), '1', 'act_5');
    expect({
      inTheList: campaign?.held,
      counted: await countHeld(db(), '1'),
      inNotifications: (await findHeld(db(), ['1'], Date.now())).get('1')?.length ?? 0,
      written: (await findHolders(db(), ['MEDIUM'], Date.now())).length,
    }).toEqual({
      inTheList: isHeld,
      counted: Number(isHeld),
      inNotifications: Number(isHeld),
      written: Number(isHeld),
    });
  });

  test.each([
    ['on', null, 0],
    ['over', new Date(5), 1],
  ])('[EARLY-08] what the user’s own word has paused, while it is %s', async (_state, until, written) => {
    await sql`insert into smartpause_settings (user_id, campaign_id, account_id, setting, changed_at)
      values (1, '5', 'act_5', 'ON', now())`.execute(db());
    await sql`insert into holds (user_id, account_id, campaign_id, state, threshold, level, cause, decided_at, read_at, paused_at)
      values (1, 'act_5', '5', 'paused', 'MEDIUM', 'UP', 'user', now(), now(), now())`.execute(db());
    await sql`delete from signals`.execute(db());
    await sql`insert into signals (source, scope, state, user_id, since, until)
      values ('user', 'user', 'SAID', 1, ${new Date(1)}, ${until})`.execute(db());
    expect(await findHolders(db(), ['MEDIUM'], 9)).toHaveLength(written);
  });
});
