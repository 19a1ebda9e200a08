import { sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { DestinationEvent } from '#core/destination-events.ts';
import { days, hours, minutes, seconds } from '#core/time.ts';
import { countBlocked, plantUser, silentLog, useFreshDb } from '../../../test/support/database.ts';
import { KEY_OF_TESTS } from '../../../test/support/product.ts';
import { OffsetClock } from '../../../scripts/demo-mode/offset-clock.ts';
import { recordActivities } from '../db/activities.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/database.ts';
import { sendAgain } from '../db/deliveries.ts';
import {
  addDestination,
  changeDestination,
  disableDestination,
  findDestinations,
  reencryptTargets,
} from '../db/destinations.ts';
import { storeNotification } from '../db/notifications.ts';
import { deleteUser, lockUsersForNotifications } from '../db/users/users.ts';
import { createTokenCipher } from '../secrets.ts';
import type { Channel, Context, SendResult } from './channels/channel.ts';
import { LEASE_MS } from './channels/channel.ts';
import { createChannels } from './channels/channels.ts';
import { queueConfirmation } from './confirmation.ts';
import type { Message } from './message.ts';
import { startOutboxWorker } from './outbox-worker.ts';

const clock = new OffsetClock();
const db = useFreshDb(clock);
const cipher = createTokenCipher([KEY_OF_TESTS]);
const MAYA = 'maya@example.com';
const OK = { ok: true } as const;
const DOWN = { ok: false, error: 'HTTP 503', isPermanent: false } as const;

/** What was tried, as 'where subject'. */
let tried: string[] = [];
const toOne = () => tried.splice(0).filter((what) => what.startsWith('one'));
const subjects = () => tried.splice(0).map((one) => one.replace(/^\S+ /, ''));

type Answer = (message: Message, url: string, context: Context) => SendResult | Promise<SendResult>;

/** Slack responds so; the mail server accepts everything. */
function workerOf(slack: Answer, keys = cipher) {
  const fake: Channel<{ url: string }> = {
    ...{ target: z.object({ url: z.string() }), atOnce: 7 },
    async send({ url }, message, context) {
      const result = await slack(message, url, context);
      tried.push(`${url} ${message.subject}`);
      return result;
    },
  };
  return startOutboxWorker({
    ...{ db: db(), cipher: keys, clock, publicUrl: 'https://smartpause.example', isStepped: true },
    log: { ...silentLog, debug: () => undefined },
    channels: {
      ...createChannels({
        mailDomain: 'smartpause.example',
        mailer: {
          send: ({ to, subject }) => {
            tried.push(`${to} ${subject}`);
            return Promise.resolve(OK);
          },
        },
      }),
      ...{ slack: fake, webhook: fake },
    },
  });
}
const outbox = (slack: Answer, keys = cipher) => workerOf(slack, keys).run();

function add(
  url: string,
  events: DestinationEvent[] = ['connection_expiring'],
  userId = '1',
): Promise<string> {
  const destination = { userId, kind: 'slack' as const, name: 'Team', target: { url } };
  return addDestination(db(), cipher, { ...destination, events, verifiedAt: null }, clock.now());
}

/** @param to ids of destinations */
const queue = (subject: string, ...to: string[]) => queueIn(db(), subject, to);
async function queueIn(tx: Db, subject: string, to: readonly string[]): Promise<void> {
  const message: Message = { subject, blocks: [], events: [], outage: null, occurredAt: clock.now() };
  const destinations = to.map((destinationId) => ({
    ...{ channel: 'slack' as const, toAddress: null, destinationId },
  }));
  const own = { channel: 'email' as const, toAddress: MAYA, destinationId: null };
  const given = { userId: '1', kind: 'token_stale' as const, message, activityIds: [] };
  await storeNotification(tx, { ...given, recipients: [own, ...destinations] }, clock.now());
}

const open = () => db().selectFrom('deliveries').select('id').where('dueAt', 'is not', null).execute();
const messages = async () =>
  (await db().selectFrom('notifications').select('message').execute()).map(({ message }) => message);

describe('how destinations get notifications', () => {
  let one = '';
  beforeAll(() => plantUser(db(), { email: MAYA }));
  beforeEach(async () => {
    one = await add('one');
  });
  afterEach(async () => {
    tried = [];
    for (const table of ['notifications', 'destinations', 'activities'])
      await sql`delete from ${sql.table(table)}`.execute(db());
  });

  test('[CHAN-01] a destination that stalls delays no other one, and no other channel', async () => {
    const two = await add('two');
    const stalled = Promise.withResolvers<SendResult>();
    await queue('first', one, two);
    await queue('second', two);
    const worker = workerOf((_message, url) => (url === 'one' ? stalled.promise : OK));
    const runs = [worker.run()];
    const goesOn = async (expected: string[]) => {
      await expect.poll(() => tried.toSorted()).toEqual(expected.toSorted());
      tried = [];
    };
    const others = (subject: string) => [`${MAYA} ${subject}`, `two ${subject}`];
    await goesOn([...others('first'), ...others('second')]);
    await queue('third', two);
    runs.push(worker.run());
    await goesOn(others('third'));
    stalled.resolve(OK);
    await Promise.all(runs);
    expect(tried).toEqual(['one first']);
  });

  test('[CHAN-01] receivers of one user that stall take five places, and leave the others to other users', async () => {
    const stalled = Promise.withResolvers<SendResult>();
    const own = [one];
    for (let count = 1; count < 8; count += 1) own.push(await add('stalls'));
    const other = await add('other', [], await plantUser(db()));
    await queue('first', ...own, other);
    const begun: string[] = [];
    const running = outbox((_message, url) => {
      begun.push(url);
      return url === 'other' ? OK : stalled.promise;
    });
    await expect.poll(() => tried).toContain('other first');
    expect(begun).toHaveLength(6);
    stalled.resolve(OK);
    await running;
    expect(begun).toHaveLength(9);
  });

  test('[CHAN-02] what it could not take holds up the rest, and a further notification brings the next try', async () => {
    for (const subject of ['first', 'second']) await queue(subject, one);
    await outbox(() => DOWN);
    expect(tried.filter((what) => what.startsWith('one'))).toEqual(['one first']);
    clock.advance(seconds(5));
    tried = [];
    await outbox(() => DOWN);
    expect(subjects()).toEqual(['first']);
    await queue('third', one);
    await outbox(() => OK);
    expect(tried.filter((what) => what.startsWith('one'))).toEqual(['one first', 'one second', 'one third']);
    expect(await open()).toEqual([]);
  });

  test('[CHAN-02] nothing is tried before its Retry-After', async () => {
    await queue('first', one);
    await outbox(() => ({ ...DOWN, retryAfterMs: minutes(2) }));
    await queue('second', one);
    tried = [];
    await outbox(() => OK);
    expect(tried).toEqual([`${MAYA} second`]);
    clock.advance(minutes(2));
    await outbox(() => OK);
    expect(tried.slice(1)).toEqual(['one first', 'one second']);
  });

  test('[CHAN-02] a short Retry-After of a late attempt holds up a further notification no longer than it asks', async () => {
    await queue('first', one);
    for (const wait of [minutes(2), minutes(5), minutes(30), hours(2), hours(5), minutes(1)]) {
      await outbox(() => ({ ...DOWN, retryAfterMs: minutes(2) }));
      clock.advance(wait);
    }
    await queue('second', one);
    await outbox(() => OK);
    expect(toOne()).toEqual(Array(6).fill('one first'));
    clock.advance(minutes(1));
    await queue('third', one);
    await outbox(() => OK);
    expect(toOne()).toEqual(['one first', 'one second', 'one third']);
  });

  test('[CHAN-01, CHAN-02] channels that have asked to wait keep no place from another one of their user', async () => {
    const waiting = [one];
    for (let count = 1; count < 5; count += 1) waiting.push(await add('waits'));
    const other = await add('other');
    await queue('first', ...waiting);
    await outbox(() => ({ ...DOWN, retryAfterMs: minutes(2) }));
    for (const subject of ['second', 'third']) {
      await queue(subject, ...waiting, other);
      tried = [];
      await outbox(() => OK);
      expect(tried.toSorted()).toEqual([`${MAYA} ${subject}`, `other ${subject}`]);
    }
    clock.advance(minutes(2));
    await outbox(() => OK);
    expect(toOne()).toEqual(['one first', 'one second', 'one third']);
    expect(await open()).toEqual([]);
  });

  test('what it refuses for good, or what fails in the channel, stops no other one', async () => {
    const two = await add('two');
    for (const subject of ['first', 'second']) await queue(subject, one, two);
    await outbox(({ subject }, url) => {
      if (url === 'two') throw new Error('a bug');
      return subject === 'first' ? { ...DOWN, isPermanent: true } : OK;
    });
    expect(tried.filter((what) => !what.startsWith(MAYA))).toEqual(['one first', 'one second']);
    clock.advance(seconds(5));
    await outbox(() => OK);
    expect(tried.filter((what) => what.startsWith('two'))).toEqual(['two first', 'two second']);
  });

  test('[CHAN-02] a message that an endpoint refuses twice holds up no later one, and is tried again by the schedule', async () => {
    for (const subject of ['first', 'second']) await queue(subject, one);
    await sql`update deliveries set channel = 'webhook' where channel = 'slack'`.execute(db());
    const refuse = (refused: string) =>
      outbox(({ subject }) => (subject === refused ? { ...DOWN, isPermanent: true } : OK));
    await refuse('first');
    expect(toOne()).toEqual(['one first']);
    clock.advance(seconds(5));
    await refuse('first');
    expect(toOne()).toEqual(['one first', 'one second']);
    clock.advance(minutes(5));
    await refuse('none');
    expect(toOne()).toEqual(['one first']);
    expect(await open()).toEqual([]);
  });

  test('[CHAN-02] what is sent again after days has all retries, and brings what waits', async () => {
    await queue('first', one);
    await outbox(() => ({ ...DOWN, isPermanent: true }));
    clock.advance(days(4));
    await queue('second', one);
    await outbox(() => DOWN);
    tried = [];
    const { id } = await db()
      .selectFrom('deliveries')
      .select('id')
      .where('failedAt', 'is not', null)
      .executeTakeFirstOrThrow();
    await sendAgain(db(), id, one);
    await outbox(() => DOWN);
    expect(toOne()).toEqual(['one first']);
    clock.advance(seconds(5));
    await outbox(() => OK);
    expect(toOne()).toEqual(['one first', 'one second']);
  });

  test('[CHAN-02] one that is gone is disabled, and gets nothing more', async () => {
    for (const subject of ['first', 'second']) await queue(subject, one);
    await outbox(() => ({ ...DOWN, copy: 'Slack is gone.', isGone: true }));
    expect(tried.filter((what) => what.startsWith('one'))).toEqual(['one first']);
    const disabled = { state: 'disabled', disabledReason: 'Slack is gone.' };
    expect(await findDestinations(db(), '1')).toMatchObject([disabled]);
    // The email about it.
    await outbox(() => OK);
    expect(tried.filter((what) => what.startsWith('one'))).toEqual(['one first']);
    expect(await open()).toEqual([]);
  });

  test('[CHAN-02] one that is gone is disabled after all, if its process ends before that', async () => {
    await queue('first', one);
    const gone = () => outbox(() => ({ ...DOWN, isGone: true }));
    await sql`alter table destinations add constraint crash check (state <> 'disabled')`.execute(db());
    await gone();
    await sql`alter table destinations drop constraint crash`.execute(db());
    expect(await findDestinations(db(), '1')).toMatchObject([{ state: 'on' }]);
    clock.advance(LEASE_MS);
    await gone();
    expect(await findDestinations(db(), '1')).toMatchObject([{ state: 'disabled' }]);
  });

  test('[CHAN-02] an attempt that ends after its destination has another address says nothing about that one', async () => {
    const gone = { ...DOWN, isPermanent: true, isGone: true };
    for (const result of [OK, gone, { ...DOWN, retryAfterMs: minutes(60) }]) {
      tried = [];
      const id = await add('former');
      const find = async () => (await findDestinations(db(), '1')).find((found) => found.id === id);
      await queue('first', id);
      await outbox(async (_message, url) => {
        if (url !== 'former') return OK;
        const own = await find();
        if (own !== undefined) await changeDestination(db(), cipher, own, { target: { url: 'next' } });
        return result;
      });
      expect(await find()).toMatchObject({ state: 'on' });
      expect((await find())?.acceptedAt === null).toBe(result.ok);
      // What the former one has not accepted goes to the new one at once.
      const expected = result.ok ? ['former first'] : ['former first', 'next first'];
      expect(tried.filter((what) => !what.startsWith(MAYA))).toEqual(expected);
      expect(await open()).toEqual([]);
    }
  });

  test('[CHAN-02] what is being written while it is disabled is not sent there', async () => {
    const [own] = await findDestinations(db(), '1');
    if (own === undefined) throw new Error('there is none');
    let disabling: Promise<unknown> | undefined;
    await inTransaction(db(), async (tx) => {
      await lockUsersForNotifications(tx, ['1']);
      disabling = disableDestination(db(), own, 'It is gone.', clock.now());
      await Promise.race([disabling, expect.poll(() => countBlocked(db())).toBe(1)]);
      await queueIn(tx, 'first', [one]);
    });
    await disabling;
    await outbox(() => OK);
    expect(toOne()).toEqual([]);
  });

  test('[CHAN-07] it gets the events that it wants, also without an address of its user, and the same at each attempt', async () => {
    await add('others', ['paused']);
    await sql`update users set email = null`.execute(db());
    await sql`insert into ad_accounts (user_id, id, name, currency, seen_at, writes_blocked_until)
      values (1, 'act_5', 'Lind Outdoor', 'USD', now(), now() + interval '1 hour')`.execute(db());
    const blocked = {
      event: 'account_blocked',
      facts: { refusal: null },
      userId: '1',
      accountId: 'act_5',
    } as const;
    await recordActivities(db(), [{ ...blocked, actor: 'meta' }], clock.now());
    const seen: [Message, Context][] = [];
    for (const result of [DOWN, OK]) {
      clock.advance(seconds(10));
      await outbox((message, _url, context) => {
        seen.push([message, context]);
        return result;
      });
    }
    await sql`update users set email = ${MAYA}`.execute(db());
    expect(subjects()).toEqual(Array(2).fill('Not protected: confirm Lind Outdoor in Ads Manager'));
    const [[message, context] = [], [again, nextContext] = []] = seen;
    expect(message).toMatchObject({ events: ['connection_expiring'], outage: null });
    expect(message?.blocks.at(-1)).toMatchObject({ button: 'Open SmartPause' });
    expect(again).toEqual(message);
    expect({ ...context, now: 0 }).toEqual({ ...nextContext, now: 0 });
  });

  test('of a deleted user only the emails are kept until they are sent', async () => {
    const userId = await plantUser(db());
    await queue('theirs', one);
    await sql`update destinations set user_id = ${userId}`.execute(db());
    await sql`update notifications set user_id = ${userId}`.execute(db());
    await outbox(() => DOWN);
    await deleteUser(db(), userId);
    expect(await messages()).toEqual([]);
  });

  test('[CHAN-05] a link of a user whom the former version has deleted is not sent, and leaves no address behind', async () => {
    const recipient = { channel: 'email', toAddress: MAYA, destinationId: null } as const;
    await queueConfirmation(db(), '1', recipient, clock.now());
    await sql`update notifications set user_id = null`.execute(db());
    await outbox(() => OK);
    expect([tried, await messages(), await open()]).toEqual([[], [], []]);
  });

  test('a target is read with the key that it needs, until it is encrypted with the newest one', async () => {
    await queue('first', one);
    const newest = 'a-newer-key-of-at-least-32-characters';
    const alone = createTokenCipher([newest]);
    await outbox(() => OK, alone);
    expect(subjects()).toEqual(['first']);
    await reencryptTargets(db(), createTokenCipher([newest, KEY_OF_TESTS]));
    clock.advance(seconds(5));
    await outbox(() => OK, alone);
    expect(tried).toEqual(['one first']);
  });
});
