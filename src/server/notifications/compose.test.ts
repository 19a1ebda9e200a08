import { expect, test } from 'vitest';
import { DEFAULT_RESUME } from '#core/settings.ts';
import { useFreshDb } from '../../../test/support/database.ts';
import { tokenEvent } from '../db/users/tokens.ts';
import { findUser } from '../db/users/users.ts';
import { compose } from './compose.ts';

const HOUR = 3_600_000;
const AT = Date.parse('2026-01-09T02:10:00Z');
const db = useFreshDb();

test.each([
  ['expired before Meta refused it', AT, 'Your Meta connection expired on'],
  ['was refused, and expired before the email was written', AT + HOUR, 'Meta no longer accepts'],
])('[ENG-13] the email about a token that %s says so', async (title, expiresAt, cause) => {
  const now = new Date(AT);
  const { id } = await db()
    .insertInto('users')
    .values({
      ...{ platformUserId: title, name: 'Maya', loggedInAt: now, createdAt: now },
      resumeSettings: JSON.stringify(DEFAULT_RESUME),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db()
    .insertInto('platformTokens')
    .values({
      ...{ userId: id, ciphertext: Buffer.from(''), keyId: 'key', savedAt: now, checkAt: now },
      ...{ expiresAt: new Date(expiresAt), rejectedAt: now, rejectedReason: 'no longer valid' },
    })
    .execute();
  const user = await findUser(db(), id);
  if (user === null) throw new Error('no user');
  const about = { id: '1', userId: id, event: tokenEvent(AT), createdAt: AT, attempts: 0, content: null };
  const notification = await compose(db(), {
    ...{ notification: { ...about, kind: 'token_expired' }, user },
    ...{ publicUrl: 'https://smartpause.example', unfinished: [], now: AT + 2 * HOUR },
  });
  expect(notification?.blocks[0]).toContain(cause);
});
