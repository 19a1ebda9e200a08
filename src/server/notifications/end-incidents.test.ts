import { sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ActivityEvent } from '#core/events.ts';
import { days, hours, minutes, seconds } from '#core/time.ts';
import { OffsetClock } from '../../../scripts/demo-mode/offset-clock.ts';
import { plantUser, silentLog, useFreshDb } from '../../../test/support/database.ts';
import { KEY_OF_TESTS } from '../../../test/support/product.ts';
import { recordActivities } from '../db/activities.ts';
import { endDeliveries } from '../db/deliveries.ts';
import { addDestination } from '../db/destinations.ts';
import { findOpenIncidents } from '../db/incidents.ts';
import { createTokenCipher } from '../secrets.ts';
import type { SendResult } from './channels/channel.ts';
import { createChannels } from './channels/channels.ts';
import type { HttpTarget } from './channels/http-channel.ts';
import { httpTarget } from './channels/http-channel.ts';
import { HTTP_CHANNELS } from './channels/http-channels.ts';
import { endIncidents } from './end-incidents.ts';
import { startOutboxWorker } from './outbox-worker.ts';

const clock = new OffsetClock();
const db = useFreshDb(clock);
const cipher = createTokenCipher([KEY_OF_TESTS]);
const publicUrl = 'https://smartpause.example';
/** What the mail server answers. */
let mail: SendResult = { ok: true };
/** What PagerDuty answers. */
let answer: SendResult = { ok: true };
const at = (ms = 0) => new Date(clock.now() - ms);

/** What PagerDuty got, as 'trigger outage-1'. */
let events: string[] = [];
const outbox = () =>
  startOutboxWorker({
    ...{ db: db(), cipher, clock, publicUrl, isStepped: true, log: { ...silentLog, debug: () => undefined } },
    channels: {
      ...createChannels({ mailer: { send: () => Promise.resolve(mail) }, mailDomain: 'smartpause.example' }),
      pagerduty: {
        ...{ target: httpTarget, atOnce: 1 },
        send(target: HttpTarget, message, context) {
          const { body } = HTTP_CHANNELS.pagerduty.request(target, message, context);
          const { event_action, dedup_key } = JSON.parse(body) as Record<
            'event_action' | 'dedup_key',
            string
          >;
          events.push(`${event_action} ${dedup_key.replace(/^smartpause-(.*)-\d+$/, '$1')}`);
          return Promise.resolve(answer);
        },
      },
    },
  }).run();
/** What it gets in the next minutes; two processes look for ends. */
async function next(): Promise<string[]> {
  clock.advance(minutes(3));
  await outbox();
  await Promise.all([endIncidents({ db: db(), clock }), endIncidents({ db: db(), clock })]);
  await outbox();
  return events.splice(0);
}

const MATCH = { level: 'HIGH_DISRUPTION', threshold: 'MEDIUM' } as const;
const PAUSED = { event: 'paused', facts: { ...MATCH, isOverride: false, wasTest: false } } as const;
const RESUMED = { event: 'resumed', facts: { ...MATCH, isLeaving: false } } as const;

/** Holds a campaign, and says so. */
async function pause(n: number): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into holds (user_id, account_id, campaign_id, state, threshold, level, decided_at, read_at, paused_at)
    values (1, 'act_5', ${`c${n}`}, 'paused', 'MEDIUM', 'HIGH_DISRUPTION', ${at()}, ${at()}, ${at()}) returning id`.execute(
    db(),
  );
  await record(n, PAUSED, rows[0]?.id);
  return rows[0]?.id ?? '';
}
async function record(n: number, event: ActivityEvent, holdId = ''): Promise<void> {
  const campaign = { id: `c${n}`, name: `Campaign ${n}`, holdId };
  const about = { userId: '1', accountId: 'act_5', campaign, actor: 'smartpause' } as const;
  await recordActivities(db(), [{ ...about, ...event }], clock.now());
}
const end = (holdId: string, reason: string | null) =>
  sql`update holds set state = 'ended', ended_at = ${at()}, release_reason = ${reason},
    outcome = ${reason === null ? 'resumed' : 'released'} where id = ${holdId}`.execute(db());
const campaigns = (status: string) => sql`update campaigns set status = ${status}`.execute(db());
const outage = (ms: number, endedAt: Date | null = null) => {
  const levels = JSON.stringify([{ level: 'HIGH_DISRUPTION', at: clock.now() - ms }]);
  return sql`insert into outages (started_at, ended_at, peak, levels)
    values (${at(ms)}, ${endedAt}, 'HIGH_DISRUPTION', ${levels}::text::jsonb)`.execute(db());
};
/** The ids of outages, in order. */
async function outages(): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from outages order by id`.execute(db());
  return rows.map(({ id }) => `outage-${id}`);
}

describe('[CHAN-06] an incident of PagerDuty', () => {
  beforeAll(async () => {
    await plantUser(db(), { email: 'maya@example.com', threshold: 'MEDIUM' });
    await sql`insert into ad_accounts (user_id, id, name, currency, seen_at)
      values (1, 'act_5', 'Lind Outdoor', 'USD', now())`.execute(db());
    await sql`insert into platform_tokens (user_id, ciphertext, key_id, saved_at, check_at) values (1, '', 'key', now(), now())`.execute(
      db(),
    );
    for (const n of [0, 1]) {
      await sql`insert into smartpause_settings (user_id, campaign_id, account_id, setting, changed_at)
        values (1, ${`c${n}`}, 'act_5', 'ON', now())`.execute(db());
      await sql`insert into campaigns (id, account_id, name, status, objective, seen_at)
        values (${`c${n}`}, 'act_5', ${`Campaign ${n}`}, 'PAUSED', 'X', now())`.execute(db());
    }
    await sql`update platform_status set true_level = 'HIGH_DISRUPTION', effective_level = 'HIGH_DISRUPTION',
      known_level = 'HIGH_DISRUPTION', since = now(), checked_at = now()`.execute(db());
  });
  beforeEach(async () => {
    await campaigns('PAUSED');
    const target = { address: `https://events.pagerduty.com/v2/enqueue?routing_key=${'a'.repeat(32)}` };
    const chosen = { kind: 'pagerduty', name: 'On call', target } as const;
    const given = { userId: '1', events: ['paused', 'not_resumed', 'connection_expiring'] as const };
    await addDestination(db(), cipher, { ...chosen, ...given, verifiedAt: null }, clock.now());
  });
  afterEach(async () => {
    events = [];
    [mail, answer] = [{ ok: true }, { ok: true }];
    for (const table of ['holds', 'activities', 'notifications', 'destinations', 'outages'])
      await sql`delete from ${sql.table(table)}`.execute(db());
  });

  test('ends with a pause that no notification ends, and once', async () => {
    await outage(minutes(10));
    const [about] = await outages();
    const holdId = await pause(0);
    expect(await next()).toEqual([`trigger ${about}`]);
    expect(await next()).toEqual([]);
    await end(holdId, 'smartpause_off');
    expect(await next()).toEqual([`resolve ${about}`]);
    expect(await next()).toEqual([]);
  });

  test('ends with a resume that the destination does not want, also while it is quiet', async () => {
    await outage(minutes(10));
    const [about] = await outages();
    const holdId = await pause(0);
    await next();
    await sql`update destinations set quiet_until = now() + interval '1 day'`.execute(db());
    await end(holdId, null);
    await record(0, RESUMED, holdId);
    expect(await next()).toEqual([`resolve ${about}`]);
  });

  test('of each of two outages ends once no campaign stays paused', async () => {
    await outage(hours(2), at(hours(1)));
    await outage(minutes(10));
    const [first, second] = await outages();
    const holds = [await pause(0)];
    await sql`update holds set decided_at = ${at(minutes(90))}`.execute(db());
    expect(await next()).toEqual([`trigger ${first}`]);
    holds.push(await pause(1));
    clock.advance(hours(1));
    expect(await next()).toEqual([`trigger ${second}`]);
    for (const holdId of holds) await end(holdId, 'resumed_now');
    expect((await next()).toSorted()).toEqual([`resolve ${first}`, `resolve ${second}`]);
  });

  test.each([
    ['runs again', `update campaigns set status = 'ACTIVE'`],
    [
      'is turned off',
      `update smartpause_settings set setting = 'OFF', changed_at = now() + interval '1 hour'`,
    ],
    ['is deleted', 'update campaigns set is_listed = false'],
    ['has ended', `update campaigns set stop_time = now() - interval '1 day'`],
  ])('stays open after a final refusal until its campaign %s', async (_what, change) => {
    await outage(minutes(10));
    const [about] = await outages();
    const holdId = await pause(0);
    await next();
    await end(holdId, 'resume_refused');
    expect(await next()).toEqual([]);
    await sql.raw(change).execute(db());
    expect(await next()).toEqual([`resolve ${about}`]);
    await sql`update campaigns set is_listed = true, stop_time = null`.execute(db());
    await sql`update smartpause_settings set setting = 'ON', changed_at = now() - interval '1 day'`.execute(
      db(),
    );
  });

  const DOWN: SendResult = { ok: false, error: 'HTTP 503', isPermanent: false };
  const openIncidents = async () => {
    const { rows } = await sql<{ id: string }>`select id from destinations`.execute(db());
    const found = await findOpenIncidents(db(), [rows[0]?.id ?? '']);
    return found.filter((one) => one.isOpened).map(({ about }) => about);
  };
  const turn = async (state: 'on' | 'off') => {
    await sql`update destinations set state = ${state}`.execute(db());
    const { rows } = await sql<{ id: string }>`select id from destinations`.execute(db());
    if (state === 'off') await endDeliveries(db(), rows[0]?.id ?? '', 'You turned it off.', clock.now());
  };

  test('is open until PagerDuty accepts its end, which is sent again to a channel that was turned off before', async () => {
    await outage(minutes(10));
    const [about] = await outages();
    const holdId = await pause(0);
    await next();
    expect(await openIncidents()).toEqual([about]);
    answer = DOWN;
    await end(holdId, 'smartpause_off');
    expect(await next()).toEqual([`resolve ${about}`]);
    expect(await openIncidents()).toEqual([about]);
    await turn('off');
    expect(await next()).toEqual([]);
    expect(await openIncidents()).toEqual([about]);
    answer = { ok: true };
    await turn('on');
    expect(await next()).toEqual([`resolve ${about}`]);
    expect(await openIncidents()).toEqual([]);
    expect(await next()).toEqual([]);
  });

  test('is none before PagerDuty accepts its begin', async () => {
    await outage(minutes(10));
    answer = { ok: false, error: 'HTTP 400', isPermanent: true, isGone: true };
    await pause(0);
    expect(await next()).toHaveLength(1);
    expect(await openIncidents()).toEqual([]);
  });

  test('whose end PagerDuty refuses for good is over, and gets no further end', async () => {
    await outage(minutes(10));
    const [about] = await outages();
    const holdId = await pause(0);
    await next();
    answer = { ok: false, error: 'HTTP 400', isPermanent: true };
    await end(holdId, 'smartpause_off');
    expect(await next()).toEqual([`resolve ${about}`]);
    expect([await next(), await openIncidents()]).toEqual([[], []]);
    // A further pause begins one as usual.
    answer = { ok: true };
    await pause(1);
    expect(await next()).toEqual([`trigger ${about}`]);
    expect(await openIncidents()).toEqual([about]);
  });

  test('whose end finds its address gone stays open', async () => {
    await outage(minutes(10));
    const [about] = await outages();
    const holdId = await pause(0);
    await next();
    answer = { ok: false, error: 'HTTP 404', isPermanent: true, isGone: true };
    await end(holdId, 'smartpause_off');
    expect(await next()).toEqual([`resolve ${about}`]);
    expect(await openIncidents()).toEqual([about]);
  });

  test('of an address that is refused, or of a connection that ends, is one until that is over', async () => {
    mail = { ok: false, error: 'EENVELOPE 550', isPermanent: true, isRecipientRefused: true };
    await sql`update ad_accounts set writes_blocked_until = now()`.execute(db());
    const blocked = {
      userId: '1',
      accountId: 'act_5',
      event: 'account_blocked',
      facts: { refusal: null },
    } as const;
    await recordActivities(db(), [{ ...blocked, actor: 'meta' }], clock.now());
    expect(await next()).toEqual(['trigger connection_expiring']);
    expect(await next()).toEqual(['trigger address_refused']);
    expect(await next()).toEqual([]);
    mail = { ok: true };
    clock.advance(minutes(30));
    expect(await next()).toEqual(['resolve address_refused']);
    clock.advance(days(1) + seconds(1));
    expect(await next()).toEqual(['resolve connection_expiring']);
  });
});
