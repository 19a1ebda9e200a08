import { setImmediate } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { seconds } from '#core/time.ts';
import { plantUser, silentLog, useFreshDb } from '../../../test/support/database.ts';
import { KEY_OF_TESTS } from '../../../test/support/product.ts';
import { OffsetClock } from '../../../scripts/demo-mode/offset-clock.ts';
import { storeNotification } from '../db/notifications.ts';
import { createTokenCipher } from '../secrets.ts';
import { createChannels } from './channels/channels.ts';
import type { Mailer } from './channels/email.ts';
import { MAIL_CONNECTIONS } from './channels/email.ts';
import type { Message } from './message.ts';
import { startOutboxWorker } from './outbox-worker.ts';

const clock = new OffsetClock();
const cipher = createTokenCipher([KEY_OF_TESTS]);
const db = useFreshDb(clock);
const MAYA = 'maya@example.com';
const workerOf = (send: Mailer['send'], isStepped = true) =>
  startOutboxWorker({
    ...{ db: db(), cipher, clock, publicUrl: '', isStepped },
    log: { ...silentLog, debug: () => undefined },
    channels: createChannels({ mailer: { send }, mailDomain: 'smartpause.example' }),
  });
const outbox = (send: Mailer['send']) => workerOf(send).run();

beforeAll(() => plantUser(db()));

describe('[ENG-13] how emails are sent', () => {
  const queue = async (subject: string, to = MAYA) => {
    const message: Message = { subject, blocks: [], events: [], outage: null, occurredAt: clock.now() };
    const recipients = [{ channel: 'email', toAddress: to, destinationId: null } as const];
    const notification = { userId: '1', kind: 'token_stale', message, recipients, activityIds: [] } as const;
    await storeNotification(db(), notification, clock.now());
  };

  test('one after the other to an address, also one that waits for a retry; other addresses wait for none', async () => {
    for (const subject of ['first', 'second']) await queue(subject);
    await outbox(() => Promise.resolve({ ok: false, error: 'down', isPermanent: false }));
    await queue('third');
    await queue('other', 'lee@example.com');
    const steps: string[] = [];
    await outbox(async ({ subject }) => {
      steps.push(`begin ${subject}`);
      await setImmediate();
      steps.push(`end ${subject}`);
      return { ok: true };
    });
    const own = steps.filter((step) => !step.endsWith('other'));
    expect(own).toEqual(['first', 'second', 'third'].flatMap((one) => [`begin ${one}`, `end ${one}`]));
    expect(steps.slice(0, 2).toSorted()).toEqual(['begin first', 'begin other']);
  });

  test('a slow server gets each once, although another process looks for work', async () => {
    const sent: string[] = [];
    for (const subject of ['first', 'second']) await queue(subject);
    const note: Mailer['send'] = ({ subject }) => {
      sent.push(subject);
      return Promise.resolve({ ok: true });
    };
    await outbox(async (mail) => {
      clock.advance(seconds(60));
      await outbox(note);
      return note(mail);
    });
    expect(sent).toEqual(['first', 'second']);
  });

  test('once the worker closes, no further one is begun', async () => {
    for (let n = 0; n <= MAIL_CONNECTIONS; n += 1) await queue('backlog', `${n}@example.com`);
    let sent = 0;
    const closed = new Promise<void>((resolve) => {
      const worker = workerOf(() => {
        sent += 1;
        if (sent === 1) worker.close().then(resolve, resolve);
        return Promise.resolve({ ok: true });
      }, false);
    });
    await closed;
    expect(sent).toBe(MAIL_CONNECTIONS);
  });
});
