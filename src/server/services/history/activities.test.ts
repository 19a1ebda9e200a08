import { expect, test } from 'vitest';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { outageApi } from '#contract/outage-api.ts';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import type { Advertiser } from '../../../../test/support/product.ts';

const suite = engineSuite();
const activitiesOf = ({ user }: Pick<Advertiser, 'user'>, query = '') =>
  user.get<ReplyOf<typeof outageApi.activities>>(`/api/activities${query}`);

test('[HIST-04] everything that happened to a user is listed, of one account or campaign on demand, page by page', async () => {
  const who = await suite.heldAdvertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
  const other = await suite.advertiser({ campaigns: ['ACTIVE'] });
  await suite.recovery();
  const { activities, next } = await activitiesOf(who);
  expect(next).toBeNull();
  const { outages } = await who.user.get<ReplyOf<typeof outageApi.outages>>('/api/outages');
  const outageId = outages[0]?.id;
  expect(activities.slice(0, 2)).toMatchObject([
    { kind: 'resumed', actor: 'smartpause', user: null, campaignId: null, outageId },
    {
      ...{ kind: 'paused', outageId },
      message: expect.stringMatching(/^Paused 2 campaigns in .*: high disruptions/) as string,
    },
  ]);
  expect(activities.find(({ kind }) => kind === 'setting')?.outageId).toBeNull();
  expect(activities.at(-1)).toMatchObject({ kind: 'login', message: 'You signed up.' });
  expect(new Set(activities.map(({ kind }) => kind))).toEqual(
    new Set(['resumed', 'paused', 'setting', 'login', 'billing']),
  );

  const { db } = suite.product.app;
  const row = await db
    .selectFrom('campaigns')
    .select('name')
    .where('id', '=', who.campaignIds[0] ?? '')
    .executeTakeFirst();
  const search = `search=${encodeURIComponent(row?.name.toUpperCase() ?? '')}`;
  const found = (await activitiesOf(who, `?${search}&adAccountId=${who.accountId}`)).activities;
  expect(found.map(({ kind }) => kind)).toEqual(['resumed', 'paused', 'setting']);
  expect(found[0]).toMatchObject({ campaignId: who.campaignIds[0] });
  expect((await activitiesOf(who, '?search=%25')).activities).toEqual([]);
  expect((await who.user.call('GET', `/api/activities?adAccountId=${other.accountId}`)).status).toBe(404);

  const userId = (await suite.rowOf(who))?.id ?? '';
  const about = {
    userId,
    actor: 'smartpause',
    message: 'Again.',
    event: 'directive',
  } as const;
  const rows = Array.from({ length: 60 }, () => ({
    ...about,
    createdAt: new Date(suite.product.clock.now()),
  }));
  await db.insertInto('activities').values(rows).execute();
  const first = await activitiesOf(who);
  const second = await activitiesOf(who, `?cursor=${first.next ?? ''}`);
  const ids = [...first.activities, ...second.activities].map(({ id }) => id);
  expect([ids.length, new Set(ids).size, second.next]).toEqual([activities.length + 60, ids.length, null]);
});
