import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { plantUser, useFreshDb } from '../../../test/support/database.ts';
import { recordActivities } from './activities.ts';

const db = useFreshDb();

test('the order of what happened to one campaign stays', async () => {
  const userId = await plantUser(db());
  const act = (id: string, event: string) => ({
    ...{ userId, event, message: event, campaign: { id, name: id } },
    ...({ actor: 'smartpause', type: 'other' } as const),
  });
  await recordActivities(db(), [act('1', 'released'), act('2', 'paused'), act('2', 'released')], 0);
  const { rows } = await sql<{ event: string }>`
    select event from activities where campaigns ? '2' order by id`.execute(db());
  expect(rows.map(({ event }) => event)).toEqual(['paused', 'released']);
});

test('activities that differ only in their campaign are one, for each user and ad account', async () => {
  const [first, second] = [await plantUser(db()), await plantUser(db())];
  const act = (userId: string, accountId: string, id: string, detail = 'high') => ({
    ...{ userId, accountId, detail, event: 'paused', message: 'Paused {campaigns}' },
    ...({ actor: 'smartpause', type: 'pause' } as const),
    // Cut within a character.
    campaign: { id, name: `Shoes ${id} \ud83d`, holdId: `9${id}` },
  });
  const login = {
    userId: first,
    actor: 'user',
    type: 'login',
    event: 'login',
    message: 'Logged in',
  } as const;
  const all = [
    act(first, 'a', '1'),
    act(first, 'b', '2'),
    act(second, 'a', '1'),
    act(first, 'a', '3', 'low'),
  ];
  await recordActivities(db(), [...all, login, act(first, 'a', '4'), login], 0);
  const rows = await db()
    .selectFrom('activities')
    .select(['userId', 'accountId', 'detail', 'campaigns', 'pendingNotification'])
    .where('userId', 'in', [first, second])
    .orderBy('id')
    .execute();
  expect(rows.map(({ campaigns, ...row }) => [...Object.values(row), campaigns])).toEqual([
    [
      first,
      'a',
      'high',
      'paused',
      { 1: { name: 'Shoes 1 �', holdId: '91' }, 4: { name: 'Shoes 4 �', holdId: '94' } },
    ],
    [first, 'b', 'high', 'paused', { 2: { name: 'Shoes 2 �', holdId: '92' } }],
    [second, 'a', 'high', 'paused', { 1: { name: 'Shoes 1 �', holdId: '91' } }],
    [first, 'a', 'low', 'paused', { 3: { name: 'Shoes 3 �', holdId: '93' } }],
    [first, null, null, null, null],
    [first, null, null, null, null],
  ]);
});
