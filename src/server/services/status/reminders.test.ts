import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { hours, minutes, seconds } from '#core/time.ts';
import { OffsetClock } from '../../../../scripts/demo-mode/offset-clock.ts';
import { plantUser, silentLog, useFreshDb } from '../../../../test/support/database.ts';
import { KEY_OF_TESTS } from '../../../../test/support/product.ts';
import { createChannels } from '../../notifications/channels/channels.ts';
import { startOutboxWorker } from '../../notifications/outbox-worker.ts';
import { createTokenCipher } from '../../secrets.ts';
import { remindOfPaused } from './reminders.ts';

const clock = new OffsetClock();
const db = useFreshDb(clock);
const log = { ...silentLog, debug: () => undefined };

test('[CHAN-06, FR-37] one reminder per user and outage after 6 hours, then daily, until the last campaign is resumed', async () => {
  const userId = await plantUser(db(), { email: 'maya@example.com' });
  const leaving = { leaving: 'delete', leavingAt: new Date(clock.now()), leavingBy: 'user' } as const;
  const leaver = await plantUser(db(), { email: 'lee@example.com', ...leaving });
  const pause = async (campaignId: string, user = userId) => {
    const at = new Date(clock.now());
    const about = { userId: user, campaignId, accountId: `act_${campaignId}` };
    await db()
      .insertInto('smartpauseSettings')
      .values({ ...about, setting: 'ON', changedAt: at })
      .execute();
    const state = { state: 'paused', threshold: 'MEDIUM', level: 'HIGH_DISRUPTION' } as const;
    const times = { decidedAt: at, readAt: at, pausedAt: at };
    await db()
      .insertInto('holds')
      .values({ ...about, ...state, ...times })
      .execute();
  };
  const resume = (campaignId: string) =>
    sql`update holds set state = 'ended', ended_at = now(), outcome = 'resumed' where campaign_id = ${campaignId}`.execute(
      db(),
    );
  const sent: string[] = [];
  const send = ({ subject }: { subject: string }) => {
    sent.push(subject);
    return Promise.resolve({ ok: true } as const);
  };
  const channels = createChannels({ mailer: { send }, mailDomain: 'a.example' });
  const cipher = createTokenCipher([KEY_OF_TESTS]);
  const worker = startOutboxWorker({
    db: db(),
    cipher,
    clock,
    log,
    publicUrl: '',
    isStepped: true,
    channels,
  });
  let startedAt = 0;
  /** Subjects of the reminders that are sent by then; two processes look for them. */
  const after = async (ms: number): Promise<string[]> => {
    clock.advance(startedAt + ms - clock.now());
    await Promise.all([remindOfPaused({ db: db(), clock }), remindOfPaused({ db: db(), clock })]);
    clock.advance(seconds(10));
    await worker.run();
    return sent.splice(0);
  };
  await pause('1');
  await pause('2', leaver);
  startedAt = clock.now();
  expect(await after(hours(6) - minutes(1))).toEqual([]);
  await pause('3');
  expect(await after(hours(6))).toEqual([expect.stringContaining('Still paused: 2 campaigns for 6 h')]);
  await resume('1');
  // The other one is paused for 6 hours now, and its user has been reminded of it.
  expect(await after(hours(13))).toEqual([]);
  expect(await after(hours(30) - minutes(1))).toEqual([]);
  // All processes were down for a day.
  expect(await after(hours(54))).toEqual([expect.stringContaining('Still paused: 1 campaign for 2 days')]);
  expect(await after(hours(77))).toEqual([]);
  clock.advance(hours(1));
  await remindOfPaused({ db: db(), clock });
  await resume('3');
  expect(await after(hours(79))).toEqual([]);
  /** It began a minute ago. */
  const outage = () => {
    const startedAt = clock.now() - minutes(1);
    const levels = JSON.stringify([{ level: 'HIGH_DISRUPTION', at: startedAt }]);
    return sql`insert into outages (started_at, peak, levels)
      values (${new Date(startedAt)}, 'HIGH_DISRUPTION', ${levels}::text::jsonb)`.execute(db());
  };
  await outage();
  await pause('4');
  expect(await after(hours(84))).toEqual([]);
  expect(await after(hours(85.1))).toEqual([expect.stringContaining('Still paused: 1 campaign for 6 h')]);

  // Of two outages: each is a reminder of its own, at its own times and in its own thread.
  await sql`update outages set ended_at = ${new Date(clock.now() - hours(5))}`.execute(db());
  await outage();
  await pause('5');
  await resume('2');
  expect(await after(hours(91.2))).toEqual([
    expect.stringMatching(/^Still paused: 1 campaign for 6 h \(outage of /),
  ]);
  expect(await after(hours(109.2))).toEqual([
    expect.stringMatching(/^Still paused: 1 campaign for 1 day 6 h \(outage of /),
  ]);
  const stored = await db()
    .selectFrom('activities')
    .select('notificationId')
    .orderBy('id', 'desc')
    .limit(1)
    .execute();
  expect(stored[0]?.notificationId).not.toBeNull();
  await resume('4');
  // Resumed before its reminder is written: that one is about nothing any more.
  clock.advance(hours(6));
  await remindOfPaused({ db: db(), clock });
  await resume('5');
  expect(await after(hours(116))).toEqual([]);
  const pending = db().selectFrom('activities').select('id').where('pendingNotification', 'is not', null);
  expect(await pending.execute()).toEqual([]);
  await worker.close();
});
