import { beforeAll, describe, expect, test } from 'vitest';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { outageApi } from '#contract/outage-api.ts';
import type { Directive } from '#core/smartpause/level.ts';
import { hours } from '#core/time.ts';
import { OffsetClock } from '../../../../scripts/demo-mode/offset-clock.ts';
import { signIn } from '../../../../scripts/simulator-clients/user.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { startSuite } from '../../../../test/support/suite.ts';
import { recordStatus } from '../../status/record-status.ts';

type Reply = ReplyOf<typeof outageApi.replayOutages>;

describe('[HIST-07] the call that replays outages', () => {
  const clock = new OffsetClock();
  clock.advance(Date.parse('2026-06-20T12:00Z') - Date.now());
  const suite = startSuite({ clock });
  let who: Advertiser;
  const ask = (query: string) => who.user.get<Reply>(`/api/outages/replay?${query}`);

  beforeAll(async () => {
    who = await suite.advertiser({ campaigns: [] });
    await suite.known('UP');
  });

  test('before the record began, it uses published outages of watched services', async () => {
    const { replays, pausedMs } = await ask('threshold=HIGH&mode=delay&value=2&unit=hours');
    expect(replays.map(({ source, pausedAt, resumedAt }) => [source, pausedAt, resumedAt])).toEqual([
      ['documented', '2026-03-17T00:30:00.000Z', '2026-03-17T04:04:00.000Z'],
      ['documented', '2026-01-09T02:10:00.000Z', '2026-01-09T06:08:00.000Z'],
    ]);
    expect(pausedMs).toBe(hours(2 * 2) + (94 + 118) * 60_000);
  });

  test('its own outages count from their reading; an override is not Meta’s', async () => {
    const { db } = suite.product.app;
    const override = (directive: Directive | null) =>
      recordStatus(db, { directive }, clock.now(), { staleMs: hours(1) });
    await override('FORCE_HIGH');
    await override(null);

    await suite.report('Medium disruptions', 'MEDIUM_DISRUPTION');
    const [newest] = (await ask('threshold=MEDIUM&mode=instant')).replays;
    expect(newest).toMatchObject({
      source: 'record',
      peak: 'MEDIUM_DISRUPTION',
      endedAt: null,
      resumedAt: null,
    });
    expect(newest?.pausedAt).toBe(newest?.startedAt);
    const [below] = (await ask('threshold=HIGH&mode=instant')).replays;
    expect(below).toMatchObject({ source: 'record', pausedAt: null, resumedAt: null });
    await suite.report('Resolved', 'UP');
    const [ended, ...earlier] = (await ask('threshold=MEDIUM&mode=next_day')).replays;
    expect(ended?.resumedAt).toMatch(/T04:01:00\.000Z$/);
    expect(earlier.filter(({ source }) => source === 'record')).toEqual([]);
  });

  test('settings that are left out are the saved ones', async () => {
    const own = await suite.advertiser({ campaigns: [], threshold: 'LOW', resume: { mode: 'next_day' } });
    const replays = async (query: string) => own.user.get<Reply>(`/api/outages/replay${query}`);
    const saved = await replays('');
    expect(saved.replays).toEqual((await replays('?threshold=LOW&mode=next_day')).replays);
    expect(saved.replays.at(-1)?.resumedAt).toBe('2026-01-09T05:01:00.000Z');
  });

  test('a delay that is no number is refused, and one that is too long is the longest', async () => {
    const delay = (value: string) => ask(`threshold=HIGH&mode=delay&value=${value}&unit=hours`);
    await expect(delay('five')).rejects.toThrow(/INVALID_REQUEST|400/);
    expect((await delay('99')).replays.at(-1)?.resumedAt).toBe('2026-01-10T04:08:00.000Z');
  });

  test('outages of more than a year ago are not part of it', async () => {
    clock.advance(hours(24 * 300));
    who.user = await signIn(suite.product.url, who.userId);
    const { replays } = await ask('threshold=HIGH&mode=instant');
    expect(replays.filter(({ source }) => source === 'documented')).toEqual([]);
  });
});
