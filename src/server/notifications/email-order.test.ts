import { setImmediate } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { seconds } from '#core/time.ts';
import { plantUser, silentLog, useFreshDb } from '../../../test/support/database.ts';
import { OffsetClock } from '../../../scripts/demo-mode/offset-clock.ts';
import { storeNotification } from '../db/notifications.ts';
import type { Mailer } from './email.ts';
import { MAIL_CONNECTIONS } from './email.ts';
import { runOutbox, startOutboxWorker } from './outbox-worker.ts';

const clock = new OffsetClock();
const db = useFreshDb(clock);
const MAYA = 'maya@example.com';
const depsOf = (send: Mailer['send']) => ({
  ...{ db: db(), clock, publicUrl: '', mailDomain: 'smartpause.example', mailer: { send } },
  log: { ...silentLog, debug: () => undefined },
});
const outbox = (send: Mailer['send']) => runOutbox(depsOf(send));

beforeAll(() => plantUser(db()));

describe('[ENG-13] how emails are sent', () => {
  const queue = async (subject: string, to = MAYA) => {
    const content = { to, subject, text: subject, html: subject };
    await storeNotification(
      db(),
      { userId: '1', kind: 'token_stale', content, activityIds: [] },
      clock.now(),
    );
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
    let [sent, closed] = [0, Promise.resolve()];
    const deps = depsOf(() => {
      closed = worker.close();
      sent += 1;
      return Promise.resolve({ ok: true });
    });
    const worker = startOutboxWorker({ ...deps, isStepped: true });
    await worker.run();
    await closed;
    expect(sent).toBe(MAIL_CONNECTIONS);
  });
});
