import { describe, expect, test } from 'vitest';
import { DEFAULT_RESUME } from '#core/settings.ts';
import { silentLog, useFreshDb } from '../../../test/support/database.ts';
import { OffsetClock } from '../../../scripts/outside/offset-clock.ts';
import type { OutgoingMail } from './channels/email.ts';
import { addFarewell } from '../db/notifications.ts';
import { sendAllDue } from './outbox-worker.ts';

describe('the outbox worker while many campaigns are paused', () => {
  const db = useFreshDb();

  test('sends one notification per run, and the rest afterwards', async () => {
    const clock = new OffsetClock();
    const users = await Promise.all(
      ['one', 'two', 'three'].map((name) =>
        db()
          .insertInto('app_user')
          .values({
            platform_user_id: name,
            name,
            email: `${name}@advertisers.test`,
            resume_settings: JSON.stringify(DEFAULT_RESUME),
            logged_in_at: new Date(clock.now()),
            created_at: new Date(clock.now()),
          })
          .returning(['id', 'email'])
          .executeTakeFirstOrThrow(),
      ),
    );
    for (const { id, email } of users) {
      const content = { to: email ?? '', subject: 'x', text: 'x', html: 'x' };
      await addFarewell(db(), { userId: id, kind: 'deauthorized', content }, clock.now());
    }
    clock.advance(60_000);
    const sent: OutgoingMail[] = [];
    const send = (notification: OutgoingMail) => {
      sent.push(notification);
      return Promise.resolve({ ok: true } as const);
    };
    const sendOnce = (isBusy: boolean) =>
      sendAllDue({
        db: db(),
        clock,
        log: { ...silentLog, debug: () => undefined },
        mailer: { send },
        publicUrl: 'https://smartpause.test',
        mailDomain: 'smartpause.test',
        isBusy: () => isBusy,
      });
    await sendOnce(true);
    expect(sent).toHaveLength(1);
    await sendOnce(true);
    expect(sent).toHaveLength(2);
    await sendOnce(false);
    expect(new Set(sent.map(({ to }) => to)).size).toBe(3);
  });
});
