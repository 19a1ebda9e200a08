import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { DEFAULT_RESUME } from '#core/settings.ts';
import { minutes, seconds } from '#core/time.ts';
import { silentLog, useFreshDb } from '../../../test/support/database.ts';
import { OffsetClock } from '../../../scripts/outside/offset-clock.ts';
import { addFarewell, postponeNotification } from '../db/notifications.ts';
import type { Mailer } from './channels/email.ts';
import type { OutboxWorkerDeps } from './outbox-worker.ts';
import { sendAllDue } from './outbox-worker.ts';

const clock = new OffsetClock();
const db = useFreshDb(clock);

const worker = (send: Mailer['send']): OutboxWorkerDeps => ({
  ...{ db: db(), clock, mailer: { send }, log: { ...silentLog, debug: () => undefined } },
  ...{ publicUrl: 'https://smartpause.example', mailDomain: 'smartpause.example' },
});

test('[ENG-13] a slow email server gets each email once, although one recipient has more than a lease allows', async () => {
  const subjects = Array.from({ length: 9 }, (_, n) => `email ${n + 1}`);
  for (const subject of subjects) {
    const content = { to: 'maya@example.com', subject, text: subject, html: subject };
    const id = await addFarewell(db(), { userId: null, kind: 'deleted', content }, clock.now());
    // All but the last wait for a retry: the last one is due and claims them all.
    if (subject !== subjects.at(-1)) await postponeNotification(db(), id, minutes(30));
  }
  const sent: string[] = [];
  const other = worker(({ subject }) => {
    sent.push(subject);
    return Promise.resolve({ ok: true });
  });
  const slow = worker(async ({ subject }) => {
    sent.push(subject);
    clock.advance(seconds(61));
    await sendAllDue(other);
    return { ok: true };
  });
  await sendAllDue(slow);
  clock.advance(minutes(30));
  await sendAllDue(other);
  expect(sent).toEqual(subjects);
});

test('[ENG-13] emails of one user go out one after the other, to whatever address, also one that waits for a retry', async () => {
  const now = new Date(clock.now());
  const user = { platformUserId: '1', name: 'Maya', loggedInAt: now, createdAt: now };
  const { id: userId } = await db()
    .insertInto('users')
    .values({ ...user, resumeSettings: JSON.stringify(DEFAULT_RESUME) })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const to of ['old@example.com', 'new@example.com']) {
    const content = { to, subject: to, text: to, html: to };
    const id = await addFarewell(db(), { userId, kind: 'deauthorized', content }, clock.now());
    if (to === 'old@example.com') await postponeNotification(db(), id, minutes(30));
  }
  const steps: string[] = [];
  const send: Mailer['send'] = async ({ to }) => {
    steps.push(`begin ${to}`);
    await setImmediate();
    steps.push(`end ${to}`);
    return { ok: true };
  };
  await sendAllDue(worker(send));
  expect(steps).toEqual(['old', 'new'].flatMap((to) => [`begin ${to}@example.com`, `end ${to}@example.com`]));
});

test('the waits between failed attempts double', async () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.999_999);
  const content = { to: 'lee@example.com', subject: 'S', text: 'T', html: 'H' };
  const id = await addFarewell(db(), { userId: null, kind: 'deleted', content }, clock.now());
  const waits: number[] = [];
  const failing = worker(() => Promise.resolve({ ok: false, error: 'down', isPermanent: false }));
  for (let attempt = 0; attempt < 4; attempt += 1) {
    await sendAllDue(failing);
    const row = db().selectFrom('notifications').select('dueAt').where('id', '=', id);
    const waitMs = Number((await row.executeTakeFirstOrThrow()).dueAt) - clock.now();
    waits.push(Math.round(waitMs / 5000));
    clock.advance(waitMs);
  }
  random.mockRestore();
  expect(waits).toEqual([1, 2, 4, 8]);
});
