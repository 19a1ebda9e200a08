import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MutantName } from '../../verify/simulation/mutants.ts';
import { mutate } from '../../verify/fixtures/planted-fault.ts';
import { MUTANTS } from '../../verify/simulation/mutants.ts';
import { Player } from '../../verify/simulation/players.ts';
import { naiveResumeTime } from '../../verify/invariants/resume-time.ts';

describe('a simulated history', () => {
  let player: Player;
  let other: Player;

  beforeAll(async () => {
    [player, other] = await Promise.all([Player.start(null), Player.start(null)]);
  });
  afterAll(() => {
    player.stop();
    other.stop();
  });

  test('is the same whenever and wherever it is played: every statement, with its values', async () => {
    const seeds = ['2', '3', '8'];
    const first: string[] = [];
    for (const seed of seeds) first.push((await player.play({ seed, only: null })).digest);
    const again: string[] = [];
    for (const seed of seeds.toReversed()) again.unshift((await other.play({ seed, only: null })).digest);
    expect(again).toEqual(first);
    expect(new Set(first).size).toBe(seeds.length);
  });

  test('is made of things that happen: campaigns are held and written to, acts cross, mails are sent', async () => {
    const sums: Record<string, number> = {};
    for (let seed = 1; seed <= 5; seed += 1) {
      const { violations, facts } = await player.play({ seed: String(seed), only: null });
      expect(violations).toEqual([]);
      for (const [name, value] of Object.entries(facts)) sums[name] = (sums[name] ?? 0) + value;
    }
    expect(sums['holds']).toBeGreaterThan(3);
    expect(sums['writes']).toBeGreaterThan(5);
    expect(sums['mails']).toBeGreaterThan(5);
    expect(sums['crossings']).toBeGreaterThan(3);
    expect(sums['calm pauses']).toBeGreaterThan(3);
  });
});

test('every fault that can be planted has its place', () => {
  for (const [name, fault] of Object.entries(MUTANTS)) expect(() => mutate(fault), name).not.toThrow();
});

describe('a fault planted in the engine is found within 200 histories', () => {
  test.each<MutantName>([
    'hold-what-is-paused-already',
    'forget-the-intent',
    'unknown-is-up',
    'delay-resumes-while-unknown',
  ])(
    '%s',
    async (mutant) => {
      const player = await Player.start(mutant);
      try {
        let seed = 1;
        for (; seed <= 200; seed += 1) {
          const { violations } = await player.play({ seed: String(seed), only: null });
          if (violations.length > 0) break;
        }
        expect(seed).toBeLessThanOrEqual(200);
      } finally {
        player.stop();
      }
    },
    300_000,
  );
});

describe('the naive resume time', () => {
  test.each([
    ['an ordinary evening', '2026-01-14T23:30:00Z', '2026-01-15T05:01:00.000Z'],
    ['the night the clocks go forward', '2026-03-08T04:30:00Z', '2026-03-08T05:01:00.000Z'],
    ['the evening after it', '2026-03-08T23:30:00Z', '2026-03-09T04:01:00.000Z'],
    ['the night the clocks go back', '2026-11-01T03:59:00Z', '2026-11-01T04:01:00.000Z'],
    ['a minute past midnight itself', '2026-01-15T05:01:00Z', '2026-01-16T05:01:00.000Z'],
  ])('after %s', (_name, endedAt, due) => {
    const at = naiveResumeTime({ mode: 'next_day' }, Date.parse(endedAt));
    expect(new Date(at).toISOString()).toBe(due);
  });
});
