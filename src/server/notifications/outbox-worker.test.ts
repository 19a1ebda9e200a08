import { beforeEach, describe, expect, test } from 'vitest';
import { allMailTo, nextMailTo, queueMail, sendNext } from '../../../test/support/mail.ts';
import type { Advertiser } from '../../../test/support/product.ts';
import { startSuite } from '../../../test/support/suite.ts';
import { deleteUser } from '../db/users/users.ts';
import { HISTORY_DAYS } from '../../core/periods.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const STALE = /^Your Meta connection expires/;

describe('the outbox worker with a failing email server', () => {
  const suite = startSuite({ usesSmtp: true });

  beforeEach(() => suite.simulators.mailbox.ask('DELETE', '/faults'));

  /** Has one email in the outbox. */
  async function notified(email?: string): Promise<Advertiser> {
    const given = email === undefined ? {} : { email };
    const who = await suite.advertiser({ campaigns: ['ACTIVE'], on: 0, ...given });
    await queueMail(suite.product, who.userId);
    return who;
  }

  async function rowOf(who: Advertiser) {
    return suite.product.app.db
      .selectFrom('deliveries')
      .innerJoin('notifications', 'notifications.id', 'deliveries.notificationId')
      .innerJoin('users', 'users.id', 'notifications.userId')
      .select([
        'deliveries.attempts',
        'deliveries.lastError',
        'deliveries.sentAt',
        'deliveries.failedAt',
        'deliveries.dueAt',
        'notifications.message',
      ])
      .where('users.platformUserId', '=', who.userId)
      .where('kind', '=', 'token_stale')
      .executeTakeFirst();
  }

  async function waitForFailures(who: Advertiser, atLeast: number): Promise<string> {
    const row = await suite.until(`${atLeast} failed tries`, async () => {
      const found = await rowOf(who);
      if (found !== undefined && found.attempts >= atLeast) return found;
      await sendNext(suite, who.email);
      return null;
    });
    return row.lastError ?? '';
  }

  test.each([
    ['refuses the connection', { kind: 'refuse_connection' }, /^ECONNECTION/],
    ['refuses the recipient for good', { kind: 'refuse', stage: 'rcpt', code: 550 }, /^EENVELOPE 550/],
    ['refuses the content', { kind: 'refuse', stage: 'data', code: 452 }, /^EMESSAGE 452/],
  ])('a server that %s gets the email later, once', async (_title, fault, error) => {
    await suite.simulators.mailbox.fault({ ...fault, times: 0 });
    const who = await notified();
    expect(await waitForFailures(who, 2)).toMatch(error);
    await suite.simulators.mailbox.ask('DELETE', '/faults');
    await nextMailTo(suite, who.email, STALE);
    expect(await allMailTo(suite, who.email)).toHaveLength(1);
    const sent = { sentAt: expect.any(Number) as number, failedAt: null };
    expect(await rowOf(who)).toMatchObject({ ...sent, lastError: null, message: null, dueAt: null });
  });

  test('a further email takes the open connection', async () => {
    await nextMailTo(suite, (await notified()).email, STALE);
    await suite.simulators.mailbox.fault({ kind: 'refuse_connection', times: 0 });
    const next = await notified();
    await nextMailTo(suite, next.email, STALE);
    expect(await rowOf(next)).toMatchObject({ attempts: 1 });
  });

  test('a server that disconnects after it has accepted an email gets it twice, with one Message-ID', async () => {
    await suite.simulators.mailbox.fault({ kind: 'drop_after' });
    const who = await notified();
    await waitForFailures(who, 1);
    const notifications = await suite.until('the second copy', async () => {
      const found = await suite.simulators.mailbox.messagesTo(who.email);
      if (found.length >= 2) return found;
      await sendNext(suite, who.email);
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
    const stall = await suite.simulators.mailbox.fault({ kind: 'stall', times: 0 });
    const who = await suite.advertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    await queueMail(suite.product, who.userId);
    await suite.simulators.status.reports('High disruptions');
    await suite.amid(
      'the outbox worker to hang',
      async () => (await suite.simulators.mailbox.parked(stall)) > 0,
    );
    expect(await suite.statuses(who)).toEqual(['PAUSED', 'PAUSED']);
    expect(await suite.simulators.mailbox.messagesTo(who.email)).toEqual([]);
    await suite.simulators.mailbox.ask('DELETE', '/faults');
    for (const subject of [STALE, /paused 2/]) await nextMailTo(suite, who.email, subject);
    await suite.report('Resolved', 'UP');
  });

  test('after a restart, UNKNOWN is reported only after an attempt to read the status', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    await suite.simulators.status.reports('High disruptions');
    await suite.become(who, ['PAUSED']);
    await suite.advance(2 * 60 * MINUTE);
    await suite.restart();
    await suite.product.app.runTask('long unknown');
    const activities = await suite.product.app.db
      .selectFrom('activities')
      .select('id')
      .where('event', '=', 'status_unknown')
      .execute();
    expect(activities).toEqual([]);
    await suite.simulators.status.reports('Resolved');
    await suite.become(who, ['ACTIVE']);
  });

  test('tidying up drops an old notification that was sent, the deletion of its user each sent one; one that waits stays', async () => {
    const { app, clock } = suite.product;
    const who = await suite.advertiser({ campaigns: [] });
    const userId = (await suite.rowOf(who))?.id ?? '';
    const now = clock.now();
    const old = new Date(now - (HISTORY_DAYS + 1) * DAY);
    const rows = [
      { subject: 'waiting', createdAt: old, dueAt: new Date(now + DAY) },
      { subject: 'sent', createdAt: old, dueAt: null },
      { subject: 'sent today', createdAt: new Date(now), dueAt: null },
    ];
    for (const { dueAt, ...row } of rows) {
      const notification = { ...row, userId, kind: 'paused' as const };
      const added = app.db.insertInto('notifications').values(notification).returning('id as notificationId');
      const { notificationId } = await added.executeTakeFirstOrThrow();
      const delivery = { notificationId, channel: 'email' as const, toAddress: who.email, dueAt };
      await app.db
        .insertInto('deliveries')
        .values({ ...delivery, createdAt: row.createdAt })
        .execute();
    }
    await app.runTask('tidying up');
    const left = app.db
      .selectFrom('deliveries')
      .innerJoin('notifications', 'notifications.id', 'notificationId')
      .select('subject')
      .where('deliveries.toAddress', '=', who.email)
      .orderBy('deliveries.id');
    expect(await left.execute()).toEqual([{ subject: 'waiting' }, { subject: 'sent today' }]);
    await deleteUser(app.db, userId);
    expect(await left.execute()).toEqual([{ subject: 'waiting' }]);
  });
});
