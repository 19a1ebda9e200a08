import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freshDatabase, outliving } from '../../../test/support/database.ts';
import type { FreshDatabase } from '../../../test/support/database.ts';
import { allMailTo, nextMailTo } from '../../../test/support/mail.ts';
import { OffsetClock } from '../../../test/support/offset-clock.ts';
import type { Advertiser, TestProduct } from '../../../test/support/product.ts';
import { newAdvertiser, startProduct, waitForStatuses } from '../../../test/support/product.ts';
import type { Simulators } from '../../../scripts/outside/simulators.ts';
import { SIMULATORS, startSimulators } from '../../../scripts/outside/simulators.ts';
import { waitFor } from '../../../scripts/outside/wait-for.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const WELCOME = /^Welcome/;

describe('the post and a mail server in trouble', () => {
  let simulators: Simulators;
  let database: FreshDatabase;
  let product: TestProduct;
  const clock = new OffsetClock();

  beforeAll(async () => {
    simulators = await startSimulators(SIMULATORS, 'free');
    database = await freshDatabase();
    product = await startProduct({ simulators, database: outliving(database), clock });
  });
  beforeEach(() => simulators.mailbox.ask('DELETE', '/faults'));
  afterAll(async () => {
    await product.close();
    await database.close();
    await simulators.stop();
  });

  const newcomer = (): Promise<Advertiser> =>
    newAdvertiser({ product, simulators, campaigns: ['ACTIVE'], on: 0 });

  async function rowOf(who: Advertiser) {
    return product.app.db
      .selectFrom('mail')
      .innerJoin('person', 'person.id', 'mail.person_id')
      .select([
        'mail.attempts',
        'mail.last_error',
        'mail.sent_at',
        'mail.failed_at',
        'mail.html',
        'mail.due_at',
      ])
      .where('person.platform_user_id', '=', who.userId)
      .where('kind', '=', 'welcome')
      .executeTakeFirstOrThrow();
  }

  async function waitForFailures(who: Advertiser, atLeast: number): Promise<string> {
    const row = await waitFor(`${atLeast} failed tries`, async () => {
      const found = await rowOf(who);
      if (found.attempts < atLeast) product.clock.advance(11_000);
      return found.attempts >= atLeast && found;
    });
    return row.last_error ?? '';
  }

  test.each([
    ['refuses the connection', { kind: 'refuse_connection' }, /^ECONNECTION/],
    ['is busy at the greeting', { kind: 'greeting', code: 421 }, /421/],
    ['refuses the sender for now', { kind: 'refuse', stage: 'mail', code: 451 }, /^EENVELOPE 451/],
    ['refuses the recipient for good', { kind: 'refuse', stage: 'rcpt', code: 550 }, /^EENVELOPE 550/],
    ['refuses the content', { kind: 'refuse', stage: 'data', code: 452 }, /^EMESSAGE 452/],
    ['drops at the greeting', { kind: 'drop', stage: 'greeting' }, /^ECONNECTION/],
    ['drops before it has taken the mail', { kind: 'drop', stage: 'data' }, /^ECONNECTION/],
  ])('a server that %s gets the mail later, once', async (_title, fault, error) => {
    await simulators.mailbox.fault({ ...fault, times: 2 });
    const who = await newcomer();
    expect(await waitForFailures(who, 2)).toMatch(error);
    await nextMailTo({ product, simulators }, who.email, WELCOME);
    expect(await simulators.mailbox.messagesTo(who.email)).toHaveLength(1);
    const row = await waitFor('it to be marked', async () => {
      const found = await rowOf(who);
      return found.sent_at !== null && found;
    });
    expect(row).toMatchObject({ attempts: 3, last_error: null, html: null, due_at: null });
  });

  test('a server that drops after it has taken the mail gets it twice, to be known by its Message-ID', async () => {
    await simulators.mailbox.fault({ kind: 'drop_after' });
    const who = await newcomer();
    await waitForFailures(who, 1);
    const mails = await waitFor('the second copy', async () => {
      const found = await simulators.mailbox.messagesTo(who.email);
      if (found.length < 2) product.clock.advance(11_000);
      return found.length >= 2 && found;
    });
    expect(mails.map(({ messageId }) => messageId)).toEqual([mails[0]?.messageId, mails[0]?.messageId]);
    expect(mails[0]?.messageId).toMatch(/^<smartpause\.\d+\.\d+@localhost\.localdomain>$/);
    expect(mails[0]?.html).toBe(mails[1]?.html);
    expect(mails[0]?.headers['date']).toBe(mails[1]?.headers['date']);
    expect(mails[0]?.headers['auto-submitted']).toBe('auto-generated');
  });

  test('a stalled server delays no other act: the engine goes on at once', async () => {
    const stall = await simulators.mailbox.fault({ kind: 'stall', stage: 'greeting', times: 0 });
    const who = await newAdvertiser({ product, simulators, campaigns: ['ACTIVE', 'ACTIVE'] });
    await waitFor('the post to hang', async () => (await simulators.mailbox.parked(stall)) > 0);
    await simulators.status.reports('High disruptions');
    await waitForStatuses(simulators, who.campaignIds, ['PAUSED', 'PAUSED']);
    await simulators.status.reports('Resolved');
    await waitForStatuses(simulators, who.campaignIds, ['ACTIVE', 'ACTIVE']);
    expect(await simulators.mailbox.messagesTo(who.email)).toEqual([]);
    await simulators.mailbox.ask('DELETE', '/faults');
    for (const subject of [WELCOME, /paused 2/, /resumed 2/]) {
      await nextMailTo({ product, simulators }, who.email, subject);
    }
  });

  test('one recipient who is refused holds up nobody else, and is given up after a day', async () => {
    const email = 'nobody@refused.example';
    await simulators.mailbox.fault({ kind: 'refuse', stage: 'rcpt', code: 550, path: email, times: 0 });
    const refused = await newAdvertiser({ product, simulators, campaigns: ['ACTIVE'], on: 0, email });
    const other = await newcomer();
    await nextMailTo({ product, simulators }, other.email, WELCOME);
    await waitForFailures(refused, 1);
    product.clock.advance(DAY + 31 * MINUTE);
    const row = await waitFor('it to be given up', async () => {
      const found = await rowOf(refused);
      return found.failed_at !== null && found;
    });
    expect(row).toMatchObject({ sent_at: null, due_at: null, html: null });
  });

  test('what was sealed when the process ended is sent by the next one, word for word', async () => {
    await simulators.mailbox.fault({ kind: 'refuse', times: 0 });
    const who = await newcomer();
    await waitForFailures(who, 1);
    const { html } = await rowOf(who);
    await product.close();
    await simulators.mailbox.ask('DELETE', '/faults');
    product = await startProduct({ simulators, database: outliving(database), clock });
    const mail = await nextMailTo({ product, simulators }, who.email, WELCOME);
    expect(mail.html?.trimEnd()).toBe(html?.trimEnd());
    expect(await simulators.mailbox.messagesTo(who.email)).toHaveLength(1);
  });

  test('an earlier mail that waits for its next try goes before a later one: the farewell is the last', async () => {
    const who = await newcomer();
    await simulators.mailbox.fault({ kind: 'refuse', stage: 'rcpt', code: 451, path: who.email, times: 0 });
    await waitFor('failed tries', async () => {
      const row = await rowOf(who);
      if (row.attempts < 4) clock.advance(11_000);
      return row.attempts >= 4;
    });
    await simulators.mailbox.ask('DELETE', '/faults');
    await waitFor('the status to be read', async () => {
      const { status } = await who.person.get<{ status: string }>('/api/status');
      return status === 'UP';
    });
    await who.person.post('/api/account/delete');
    const subjects = await allMailTo({ product, simulators }, who.email);
    expect(subjects.map((subject) => WELCOME.test(subject))).toEqual([true, false]);
    expect(subjects.at(-1)).toMatch(/account is deleted/);
  });

  test('after a restart nobody is told that the status cannot be read, before it was tried', async () => {
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
    product = await startProduct({ simulators, database: outliving(database), clock });
    await waitFor('the status to be read', async () => {
      const { checked_at } = await product.app.db
        .selectFrom('platform_status')
        .select('checked_at')
        .executeTakeFirstOrThrow();
      return Number(checked_at) >= before;
    });
    const mails = await product.app.db
      .selectFrom('mail')
      .select('id')
      .where('kind', '=', 'unknown')
      .execute();
    expect(mails).toEqual([]);
    await simulators.status.reports('Resolved');
    await waitForStatuses(simulators, who.campaignIds, ['ACTIVE']);
  });

  test('of somebody who is gone nothing stays, also when the process died right after sending', async () => {
    const at = new Date(clock.now());
    const words = { to_address: 'gone@example.com', subject: 'x' };
    const sent = {
      person_id: null,
      kind: 'deleted',
      created_at: at,
      due_at: null,
      sealed_at: at,
      sent_at: at,
    };
    await product.app.db
      .insertInto('mail')
      .values({ ...sent, ...words })
      .execute();
    clock.advance(2 * 60 * MINUTE);
    await waitFor('it to be tidied away', async () => {
      const left = await product.app.db
        .selectFrom('mail')
        .select('id')
        .where('to_address', '=', words.to_address)
        .execute();
      return left.length === 0;
    });
  });
});
