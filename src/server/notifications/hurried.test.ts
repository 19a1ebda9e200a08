import { describe, expect, test } from 'vitest';
import { DEFAULT_RESUME } from '#core/settings.ts';
import { silentLog, useFreshDb } from '../../../test/support/database.ts';
import { OffsetClock } from '../../../test/support/offset-clock.ts';
import type { OutgoingMail } from './channels/email.ts';
import { addMails } from '../db/mails.ts';
import { sendAllDue } from './post.ts';

describe('the post while very many campaigns are paused', () => {
  const db = useFreshDb();

  test('sends one mail a round, and the rest when that is over', async () => {
    const clock = new OffsetClock();
    const people = await Promise.all(
      ['one', 'two', 'three'].map((name) =>
        db()
          .insertInto('person')
          .values({
            platform_user_id: name,
            name,
            email: `${name}@advertisers.test`,
            resume_settings: JSON.stringify(DEFAULT_RESUME),
            logged_in_at: new Date(clock.now()),
            created_at: new Date(clock.now()),
          })
          .returning('id')
          .executeTakeFirstOrThrow(),
      ),
    );
    await addMails(
      db(),
      { personIds: people.map(({ id }) => id), kind: 'welcome', event: 'first' },
      clock.now(),
    );
    clock.advance(60_000);
    const sent: OutgoingMail[] = [];
    const send = (mail: OutgoingMail) => {
      sent.push(mail);
      return Promise.resolve({ ok: true } as const);
    };
    const round = (isHurried: boolean) =>
      sendAllDue({
        db: db(),
        clock,
        log: { ...silentLog, debug: () => undefined },
        mailer: { send },
        publicUrl: 'https://smartpause.test',
        mailDomain: 'smartpause.test',
        roll: () => 0,
        isHurried: () => isHurried,
      });
    await round(true);
    expect(sent).toHaveLength(1);
    await round(true);
    expect(sent).toHaveLength(2);
    await round(false);
    expect(new Set(sent.map(({ to }) => to)).size).toBe(3);
  });
});
