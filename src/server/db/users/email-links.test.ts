import { expect, test } from 'vitest';
import { plantUser, useFreshDb } from '../../../../test/support/database.ts';
import { clearRefused, confirmOwnAddress, markRefused } from './email-links.ts';

const db = useFreshDb();
const NOW = Date.parse('2026-01-09T02:30:00Z');

test('the former version reads which address is refused, until an email is accepted there', async () => {
  const id = await plantUser(db(), { email: 'Maya@example.com', confirmedEmail: 'old@example.com' });
  const refused = async () => {
    const user = db().selectFrom('users').where('id', '=', id);
    return user.select(['refusals', 'refusedEmail', 'refusedAt']).executeTakeFirst();
  };
  const none = { refusals: {}, refusedEmail: null, refusedAt: null };
  await markRefused(db(), id, 'Maya@example.com', NOW);
  const known = { refusedEmail: 'Maya@example.com', refusedAt: NOW };
  expect(await refused()).toEqual({ ...known, refusals: { 'maya@example.com': NOW } });
  await clearRefused(db(), id, 'old@example.com');
  expect(await refused()).toMatchObject(known);
  await clearRefused(db(), id, 'maya@example.com');
  expect(await refused()).toEqual(none);
  await markRefused(db(), id, 'Maya@example.com', NOW);
  await confirmOwnAddress(db(), id, 'Maya@example.com');
  expect(await refused()).toEqual(none);
});
