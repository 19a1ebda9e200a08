import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { days, hours } from '#core/time.ts';
import { plantUser, silentLog, useFreshDb } from '../../../test/support/database.ts';
import { KEY_OF_TESTS } from '../../../test/support/product.ts';
import { OffsetClock } from '../../../scripts/demo-mode/offset-clock.ts';
import { createChannels } from '../notifications/channels/channels.ts';
import type { SendResult } from '../notifications/channels/channel.ts';
import type { OutgoingMail } from '../notifications/channels/email.ts';
import { startOutboxWorker } from '../notifications/outbox-worker.ts';
import { createTokenCipher } from '../secrets.ts';
import { storeNotification } from './notifications.ts';

const clock = new OffsetClock();
const db = useFreshDb(clock);
const MAYA = 'maya@example.com';
const rowsOf = async (statement: string) => (await sql.raw<object>(statement).execute(db())).rows;

let sent: OutgoingMail[] = [];
/** A process of this version sends all that is due. */
async function outbox(result: SendResult = { ok: true }): Promise<void> {
  sent = [];
  const send = (mail: OutgoingMail) => {
    sent.push(mail);
    return Promise.resolve(result);
  };
  await startOutboxWorker({
    ...{ db: db(), cipher: createTokenCipher([KEY_OF_TESTS]), clock, publicUrl: '', isStepped: true },
    log: { ...silentLog, debug: () => undefined },
    channels: createChannels({ mailer: { send }, mailDomain: 'smartpause.example' }),
  }).run();
}

describe('beside a process of the former version', () => {
  /** As that version writes an email. */
  const write = (subject: string, more = { columns: '', values: '' }) =>
    rowsOf(`insert into notifications (user_id, kind, to_address, subject, text, html, created_at, due_at${more.columns})
      values (1, 'paused', '${MAYA}', '${subject}', 'Plain ${subject}', '<b>${subject}</b>', now() - interval '1 hour', now()${more.values})`);
  /** This version writes one. */
  const writeHere = (subject: string) => {
    const message = { subject, blocks: [], events: [], outage: null, occurredAt: 0 };
    const recipients = [{ channel: 'email', toAddress: MAYA, destinationId: null } as const];
    const given = { userId: '1', kind: 'paused', message, recipients, activityIds: [] } as const;
    return storeNotification(db(), given, clock.now());
  };

  beforeAll(() => plantUser(db()));

  test('what it wrote and did not send is sent as it wrote it, in order and with its attempts', async () => {
    await write('being sent', { columns: ', lease_until', values: `, now() + interval '1 minute'` });
    await write('first', { columns: ', attempts, last_error', values: `, 2, 'ECONNECTION'` });
    await writeHere('second');
    await outbox({ ok: false, error: 'ETIMEDOUT', isPermanent: false });
    expect(sent.map(({ subject }) => subject)).not.toContain('being sent');
    clock.advance(hours(1));
    await writeHere('third');
    await outbox();
    expect(sent.map(({ subject }) => subject)).toEqual(['being sent', 'first', 'second', 'third']);
    const [{ id, createdAt } = { id: '', createdAt: 0 }] = await db()
      .selectFrom('notifications')
      .select(['id', 'createdAt'])
      .where('subject', '=', 'first')
      .execute();
    const messageId = `<smartpause.${id}.${createdAt}@smartpause.example>`;
    expect(sent[1]).toMatchObject({ messageId, text: 'Plain first', html: '<b>first</b>', to: MAYA });
    const deliveries = `select deliveries.attempts >= 4 as enough from deliveries join notifications n on n.id = notification_id where subject = 'first'`;
    expect(await rowsOf(deliveries)).toEqual([{ enough: true }]);
    await outbox();
    expect(sent).toEqual([]);
    expect(
      await rowsOf('select from notifications where coalesce(text, html, message::text) is not null'),
    ).toEqual([]);
  });

  test('it neither sends nor deletes what this version wrote', async () => {
    await writeHere('waits');
    clock.advance(days(500));
    // What it claims, and what it deletes with a user and by the hour.
    expect(await rowsOf(`select id from notifications where due_at <= now()`)).toEqual([]);
    await rowsOf('delete from notifications where user_id = 1 and due_at is null');
    await rowsOf('delete from users');
    await rowsOf('delete from notifications where due_at is null and user_id is null');
    await outbox();
    expect(sent).toMatchObject([{ subject: 'waits', to: MAYA }]);
    expect(await rowsOf('select from notifications')).toEqual([]);
  });
});
