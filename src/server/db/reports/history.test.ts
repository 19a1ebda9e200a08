import { describe, expect, test } from 'vitest';
import { startSuite } from '../../../../test/support/suite.ts';
import { days } from '#core/time.ts';
import { dropOldRows } from '../retention.ts';
import { getRecentActivities } from '../../services/admin/admin.ts';

describe('activities', () => {
  const suite = startSuite({ environment: { ROLE: 'web' } });

  test('are dropped after 400 days, except those of live holds', async () => {
    const { app, clock } = suite.product;
    const who = await suite.advertiser({ campaigns: [] });
    const userId = (await suite.rowOf(who))?.id ?? '';
    const { accountId } = who;
    const at = (age: number) => new Date(clock.now() - days(age));
    const hold = async (campaignId: string, created: number, ended: number | null) => {
      const end =
        ended === null
          ? ({ state: 'paused' } as const)
          : ({ state: 'ended', outcome: 'resumed', endedAt: at(ended) } as const);
      const about = { threshold: 'LOW', level: 'LOW_DISRUPTION', readAt: at(created) } as const;
      const values = { userId, accountId, campaignId, decidedAt: at(created), ...about, ...end };
      return (await app.db.insertInto('holds').values(values).returning('id').executeTakeFirstOrThrow()).id;
    };
    const holds = {
      live: await hold('1', 500, null),
      ended: await hold('1', 500, 401),
      young: await hold('2', 500, 399),
    };
    const act = (event: string, age: number, holdId?: string) => ({
      ...{ userId, accountId, event, createdAt: at(age) },
      campaigns: JSON.stringify({ 1: { name: 'Shoes', holdId } }),
      ...({ actor: 'smartpause', message: 'It was done' } as const),
    });
    await app.db
      .insertInto('activities')
      .values([
        act('old', 401),
        act('young', 399),
        act('held', 500, holds.live),
        act('of an ended one', 401, holds.ended),
      ])
      .execute();

    await dropOldRows(app.db, clock.now());

    const keptHolds = await app.db.selectFrom('holds').select('id').orderBy('id').execute();
    expect(keptHolds.map(({ id }) => id)).toEqual([holds.live, holds.young]);
    const kept = await app.db
      .selectFrom('activities')
      .select('event')
      .where('message', '=', 'It was done')
      .orderBy('id')
      .execute();
    expect(kept.map(({ event }) => event)).toEqual(['young', 'held']);
  });

  test('[ADMIN-02] of many campaigns are one entry for each user, ad account and minute', async () => {
    const { app, clock } = suite.product;
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    const userId = (await suite.rowOf(who))?.id ?? '';
    const { accountId } = who;
    const { name } = await app.db
      .selectFrom('adAccounts')
      .select('name')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow();
    const minute = Math.ceil((clock.now() + 600_000) / 60_000) * 60_000;
    const act = (event: string, campaign: number, account = accountId) => ({
      ...{ userId, accountId: account, event, message: `About ${event}: {campaigns}`, detail: 'high' },
      campaigns: JSON.stringify({ [campaign]: { name: String(campaign) } }),
      ...({ actor: 'smartpause', createdAt: new Date(minute + campaign) } as const),
    });
    const paused = Array.from({ length: 40 }, (_, campaign) => act('paused', campaign));
    const batch = {
      ...act('paused', 40),
      campaigns: JSON.stringify({ 0: { name: '0' }, 40: { name: '40' } }),
    };
    await app.db
      .insertInto('activities')
      .values([
        ...paused,
        batch,
        act('paused', 50, 'act_unknown'),
        act('refused', 60),
        { ...act('refused', 61), detail: 'not so high' },
        { ...act('paused', 70), createdAt: new Date(minute + 60_000) },
        ...['off', 'on', 'off'].map((event, n) => ({
          ...act(event, 80 + n),
          createdAt: new Date(minute + 120_000 + n),
        })),
      ])
      .execute();
    const texts = (await getRecentActivities(app)).slice(0, 7).map(({ message }) => message);
    expect(texts).toEqual([
      `About off: “82” in ${name}: high.`,
      `About on: “81” in ${name}: high.`,
      `About off: “80” in ${name}: high.`,
      `About paused: “70” in ${name}: high.`,
      `About refused: 2 campaigns in ${name} (“60”, “61”).`,
      'About paused: “50”: high.',
      `About paused: 41 campaigns in ${name} (“0”, “1”, “10” and 38 more): high.`,
    ]);
  });
});
