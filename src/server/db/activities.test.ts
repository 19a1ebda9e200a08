import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { plantUser, useFreshDb } from '../../../test/support/database.ts';
import { recordActivities } from './activities.ts';
import { findCampaignEntries } from './reports/campaign-history.ts';
import { findPendingActivities } from './reports/notified-activities.ts';
import { findUserActivities } from './reports/user-activities.ts';

const db = useFreshDb();

test('the order of what happened to one campaign stays', async () => {
  const userId = await plantUser(db());
  const act = (id: string, event: 'test_paused' | 'handed_over') =>
    ({ userId, actor: 'smartpause', event, facts: {}, campaign: { id, name: id } }) as const;
  const all = [act('1', 'handed_over'), act('2', 'test_paused'), act('2', 'handed_over')];
  await recordActivities(db(), all, 0);
  const { rows } = await sql<{ event: string }>`
    select event from activities where campaigns ? '2' order by id`.execute(db());
  expect(rows.map(({ event }) => event)).toEqual(['test_paused', 'handed_over']);
});

test('activities of campaigns that read the same are one, for each user and ad account', async () => {
  const [first, second] = [await plantUser(db()), await plantUser(db())];
  const act = (userId: string, accountId: string, id: string, until = 1) =>
    ({
      ...({ userId, accountId, actor: 'smartpause', event: 'postponed', facts: { until } } as const),
      // Cut within a character.
      campaign: { id, name: `Shoes ${id} \ud83d`, holdId: `9${id}` },
    }) as const;
  const login = { userId: first, actor: 'user', event: 'initialized', facts: { name: 'Maya' } } as const;
  const all = [act(first, 'a', '1'), act(first, 'b', '2'), act(second, 'a', '1'), act(first, 'a', '3', 2)];
  await recordActivities(db(), [...all, login, act(first, 'a', '4'), login], 0);
  const rows = await db()
    .selectFrom('activities')
    .select(['userId', 'accountId', 'facts', 'campaigns', 'pendingNotification'])
    .where('userId', 'in', [first, second])
    .orderBy('id')
    .execute();
  expect(rows.map(({ campaigns, ...row }) => [...Object.values(row), campaigns])).toEqual([
    [
      first,
      'a',
      { until: 1 },
      'resumed',
      {
        1: { name: 'Shoes 1 �', holdId: '91' },
        3: {
          name: 'Shoes 3 �',
          holdId: '93',
          facts: { until: 2 },
          detail: expect.stringContaining('Dec 31, 1969') as string,
        },
        4: { name: 'Shoes 4 �', holdId: '94' },
      },
    ],
    [first, 'b', { until: 1 }, 'resumed', { 2: { name: 'Shoes 2 �', holdId: '92' } }],
    [second, 'a', { until: 1 }, 'resumed', { 1: { name: 'Shoes 1 �', holdId: '91' } }],
    [first, null, { name: 'Maya' }, null, null],
    [first, null, { name: 'Maya' }, null, null],
  ]);
});

test('campaigns of one row keep the words of their own: in an email, in Why? and in a search', async () => {
  const [userId, now] = [await plantUser(db()), Date.now()];
  const act = (id: string, refusal: string) =>
    ({
      ...({ userId, actor: 'smartpause', accountId: 'a', event: 'retrying' } as const),
      ...{ facts: { act: 'pause', refusal } as const, campaign: { id, name: `Shoes ${id}` } },
    }) as const;
  await recordActivities(db(), [act('1', 'No card'), act('2', 'No page')], now);
  const pending = await findPendingActivities(db(), [{ userId, kinds: ['paused'] }], now);
  const { acts = [] } = pending.get(userId) ?? {};
  expect(acts.map(({ happened }) => happened.facts)).toEqual(
    ['No card', 'No page'].map((refusal) => ({ act: 'pause', refusal })),
  );
  const entries = await findCampaignEntries(db(), [], {
    ...{ userId, accountId: 'a', campaignId: '2', since: 0, before: null, limit: 10 },
  });
  const all = { userId, since: 0, before: undefined, accountId: undefined, limit: 10 };
  const found = await findUserActivities(db(), { ...all, search: 'shoes 2' });
  const details = [acts[1]?.detail, entries[0]?.activity?.detail, found[0]?.detail];
  expect(details).toEqual(Array<unknown>(3).fill(expect.stringMatching(/^No page\./)));
  expect(entries[0]?.activity?.facts).toEqual(acts[1]?.happened.facts);
});
