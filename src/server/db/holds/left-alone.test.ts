import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { plantUser, useFreshDb } from '../../../../test/support/database.ts';
import { days, minutes } from '../../../core/time.ts';
import { findLeftAlone } from './holds.ts';

const db = useFreshDb();
const NOW = Date.parse('2026-01-09T02:10:00Z');
const at = (ms: number) => new Date(NOW - ms);

test('[UX-20] a campaign is left alone for a match that lasts, unless SmartPause was turned on after the request', async () => {
  const userId = await plantUser(db());
  const resumed = async (
    id: string,
    given: { endedAt: Date; askedAt: Date | null; turnedAt: Date; reason?: string; setting?: string },
  ) => {
    const { endedAt, askedAt, turnedAt, reason = 'resumed_now', setting = 'ON' } = given;
    await sql`insert into smartpause_settings (user_id, campaign_id, account_id, setting, changed_at)
      values (${userId}, ${id}, 'act_1', ${setting}, ${turnedAt})`.execute(db());
    await sql`insert into holds (user_id, account_id, campaign_id, state, threshold, level, decided_at, read_at,
      resume_asked_by, resume_asked_at, ended_at, outcome, release_reason)
      values (${userId}, 'act_1', ${id}, 'ended', 'LOW', 'LOW_DISRUPTION', ${endedAt}, ${endedAt},
        ${askedAt && userId}, ${askedAt}, ${endedAt}, 'released', ${reason})`.execute(db());
  };
  const long = at(days(400));
  const asked = { endedAt: at(minutes(10)), askedAt: at(minutes(20)) };
  await resumed('now', { ...asked, turnedAt: long });
  await resumed('on since', { ...asked, turnedAt: at(minutes(15)) });
  await resumed('taken back', { ...asked, askedAt: null, turnedAt: long });
  await resumed('refused', { ...asked, askedAt: null, turnedAt: long, reason: 'pause_refused' });
  await resumed('off', { ...asked, turnedAt: long, setting: 'OFF' });
  await resumed('disabled', { ...asked, turnedAt: long, setting: 'DEACTIVATED' });
  await resumed('former match', { endedAt: at(days(1)), askedAt: at(days(1)), turnedAt: long });
  const left = await findLeftAlone(db(), ['act_1'], NOW - minutes(30));
  expect([...(left.get(userId)?.keys() ?? [])].toSorted()).toEqual(['now', 'refused']);
  expect(await findLeftAlone(db(), ['act_1'], NOW - minutes(30), userId)).toEqual(left);
  expect(await findLeftAlone(db(), ['act_1'], NOW - minutes(30), `${userId}0`)).toEqual(new Map());
});
