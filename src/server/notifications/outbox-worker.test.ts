import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freshDatabase, outliving } from '../../../test/support/database.ts';
import type { FreshDatabase } from '../../../test/support/database.ts';
import { allMailTo, nextMailTo, queueMail, sendNext } from '../../../test/support/mail.ts';
import { OffsetClock } from '../../../scripts/outside/offset-clock.ts';
import type { Advertiser, TestProduct } from '../../../test/support/product.ts';
import { newAdvertiser, startProduct, waitForStatuses } from '../../../test/support/product.ts';
import type { LocalSimulators } from '../../../test/support/simulators.ts';
import { startSimulators } from '../../../test/support/simulators.ts';
import { waitFor } from '../../../scripts/outside/wait-for.ts';
import { claimDueNotifications } from '../db/notifications.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const STALE = /^Your Meta connection expires/;

describe('the outbox worker with a failing email server', () => {
  let simulators: LocalSimulators;
  let database: FreshDatabase;
  let product: TestProduct;
  const clock = new OffsetClock();

  beforeAll(async () => {
    simulators = await startSimulators();
    database = await freshDatabase();
    product = await startProduct({ simulators, database: outliving(database), clock, usesSmtp: true });
  });
  beforeEach(() => simulators.mailbox.ask('DELETE', '/faults'));
  afterAll(async () => {
    await product.close();
    await database.close();
    await simulators.stop();
  });

  /** Has one email in the outbox. */
  async function notified(email?: string): Promise<Advertiser> {
    const given = email === undefined ? {} : { email };
    const who = await newAdvertiser({ product, simulators, campaigns: ['ACTIVE'], on: 0, ...given });
    await queueMail(product, who.userId);
    return who;
  }

  async function rowOf(who: Advertiser) {
    return product.app.db
      .selectFrom('notification')
      .innerJoin('app_user', 'app_user.id', 'notification.user_id')
      .select([
        'notification.id',
        'notification.attempts',
        'notification.last_error',
        'notification.sent_at',
        'notification.failed_at',
        'notification.html',
        'notification.due_at',
      ])
      .where('app_user.platform_user_id', '=', who.userId)
      .where('kind', '=', 'token_stale')
      .executeTakeFirstOrThrow();
  }

  async function waitForFailures(who: Advertiser, atLeast: number): Promise<string> {
    const row = await waitFor(`${atLeast} failed tries`, async () => {
      const found = await rowOf(who);
      if (found.attempts >= atLeast) return found;
      await sendNext(product, who.email);
      return null;
    });
    return row.last_error ?? '';
  }

  test.each([
    ['refuses the connection', { kind: 'refuse_connection' }, /^ECONNECTION/],
    ['refuses the recipient for good', { kind: 'refuse', stage: 'rcpt', code: 550 }, /^EENVELOPE 550/],
    ['refuses the content', { kind: 'refuse', stage: 'data', code: 452 }, /^EMESSAGE 452/],
  ])('a server that %s gets the email later, once', async (_title, fault, error) => {
    await simulators.mailbox.fault({ ...fault, times: 2 });
    const who = await notified();
    expect(await waitForFailures(who, 2)).toMatch(error);
    await nextMailTo({ product, simulators }, who.email, STALE);
    expect(await allMailTo({ product, simulators }, who.email)).toHaveLength(1);
    expect(await rowOf(who)).toMatchObject({ attempts: 3, last_error: null, html: null, due_at: null });
  });

  test('a server that disconnects after it has accepted an email gets it twice, with one Message-ID', async () => {
    await simulators.mailbox.fault({ kind: 'drop_after' });
    const who = await notified();
    await waitForFailures(who, 1);
    const notifications = await waitFor('the second copy', async () => {
      const found = await simulators.mailbox.messagesTo(who.email);
      if (found.length >= 2) return found;
      await sendNext(product, who.email);
      return null;
    });
    expect(notifications.map(({ messageId }) => messageId)).toEqual([
      notifications[0]?.messageId,
      notifications[0]?.messageId,
    ]);
    expect(notifications[0]?.messageId).toMatch(/^<smartpause\.\d+\.\d+@localhost\.localdomain>$/);
    expect(notifications[0]?.html).toBe(notifications[1]?.html);
    expect(notifications[0]?.headers['date']).toBe(notifications[1]?.headers['date']);
    expect(notifications[0]?.headers['auto-submitted']).toBe('auto-generated');
  });

  test('a stalled email server does not delay the reconciler', async () => {
    const stall = await simulators.mailbox.fault({ kind: 'stall', times: 0 });
    const who = await newAdvertiser({ product, simulators, campaigns: ['ACTIVE', 'ACTIVE'] });
    await queueMail(product, who.userId);
    await waitFor('the outbox worker to hang', async () => (await simulators.mailbox.parked(stall)) > 0);
    await simulators.status.reports('High disruptions');
    await waitForStatuses(simulators, who.campaignIds, ['PAUSED', 'PAUSED']);
    await simulators.status.reports('Resolved');
    await waitForStatuses(simulators, who.campaignIds, ['ACTIVE', 'ACTIVE']);
    expect(await simulators.mailbox.messagesTo(who.email)).toEqual([]);
    await simulators.mailbox.ask('DELETE', '/faults');
    for (const subject of [STALE, /paused 2/, /resumed 2/]) {
      await nextMailTo({ product, simulators }, who.email, subject);
    }
  });

  test('a rejected recipient delays no other user, and fails after a day', async () => {
    const email = 'recipient@refused.example';
    await simulators.mailbox.fault({ kind: 'refuse', stage: 'rcpt', code: 550, path: email, times: 0 });
    const refused = await notified(email);
    const other = await notified();
    await nextMailTo({ product, simulators }, other.email, STALE);
    await waitForFailures(refused, 1);
    product.clock.advance(DAY + 31 * MINUTE);
    await product.app.runTask('outbox');
    expect(await rowOf(refused)).toMatchObject({
      failed_at: expect.any(Date) as Date,
      sent_at: null,
      due_at: null,
      html: null,
    });
  });

  test('a rendered notification is sent unchanged by the next process', async () => {
    await simulators.mailbox.fault({ kind: 'refuse', times: 0 });
    const who = await notified();
    await waitForFailures(who, 1);
    const { html } = await rowOf(who);
    await product.close();
    await simulators.mailbox.ask('DELETE', '/faults');
    product = await startProduct({ simulators, database: outliving(database), clock, usesSmtp: true });
    const notification = await nextMailTo({ product, simulators }, who.email, STALE);
    expect(notification.html?.trimEnd()).toBe(html?.trimEnd());
    expect(await simulators.mailbox.messagesTo(who.email)).toHaveLength(1);
  });

  test('[ENG-13] without other processes, a notification that the last process had leased is sent without delay', async () => {
    await simulators.mailbox.fault({ kind: 'refuse_connection', times: 0 });
    const who = await notified();
    const stale = await rowOf(who);
    await waitFor('the notification to be leased', async () => {
      const now = clock.now();
      const leased = await claimDueNotifications(product.app.db, 50, now + 30 * DAY, now + MINUTE);
      return leased.some(({ id }) => id === stale.id);
    });
    await product.close();
    await simulators.mailbox.ask('DELETE', '/faults');
    product = await startProduct({
      simulators,
      database: outliving(database),
      ownsDatabase: true,
      usesSmtp: true,
      clock,
    });
    await nextMailTo({ product, simulators }, who.email, STALE);
  });

  test('a notification that waits for a retry is sent before later ones: the farewell is the last', async () => {
    const who = await notified();
    await simulators.mailbox.fault({ kind: 'refuse', stage: 'rcpt', code: 451, path: who.email, times: 0 });
    await waitForFailures(who, 4);
    await simulators.mailbox.ask('DELETE', '/faults');
    await waitFor('the status to be read', async () => {
      const { status } = await who.user.get<{ status: string }>('/api/status');
      return status === 'UP';
    });
    await who.user.post('/api/account/delete');
    const subjects = await allMailTo({ product, simulators }, who.email);
    expect(subjects.map((subject) => STALE.test(subject))).toEqual([true, false]);
    expect(subjects.at(-1)).toMatch(/account is deleted/);
  });

  test('after a restart, UNKNOWN is reported only after an attempt to read the status', async () => {
    const who = await newAdvertiser({ product, simulators, campaigns: ['ACTIVE'] });
    await simulators.status.reports('High disruptions');
    await waitForStatuses(simulators, who.campaignIds, ['PAUSED']);
    await waitFor('the pause to be settled', async () => {
      const { state } = await product.app.db
        .selectFrom('hold')
        .select('state')
        .where('account_id', '=', who.accountId)
        .executeTakeFirstOrThrow();
      return state === 'paused';
    });
    await product.close();
    clock.advance(2 * 60 * MINUTE);
    const before = clock.now();
    product = await startProduct({ simulators, database: outliving(database), clock, usesSmtp: true });
    await waitFor('the status to be read', async () => {
      const { checked_at } = await product.app.db
        .selectFrom('platform_status')
        .select('checked_at')
        .executeTakeFirstOrThrow();
      return Number(checked_at) >= before;
    });
    const notifications = await product.app.db
      .selectFrom('notification')
      .select('id')
      .where('kind', '=', 'unknown')
      .execute();
    expect(notifications).toEqual([]);
    await simulators.status.reports('Resolved');
    await waitForStatuses(simulators, who.campaignIds, ['ACTIVE']);
  });

  test('no notification of a deleted user remains, even if the process died right after sending', async () => {
    const at = new Date(clock.now());
    const words = { to_address: 'gone@example.com', subject: 'x' };
    const sent = {
      user_id: null,
      kind: 'deleted' as const,
      created_at: at,
      due_at: null,
      finalized_at: at,
      sent_at: at,
    };
    await product.app.db
      .insertInto('notification')
      .values({ ...sent, ...words })
      .execute();
    await product.app.runTask('tidying up');
    const left = await product.app.db
      .selectFrom('notification')
      .select('id')
      .where('to_address', '=', words.to_address)
      .execute();
    expect(left).toEqual([]);
  });
});
