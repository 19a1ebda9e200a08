import { beforeAll, describe, expect, test } from 'vitest';
import type { MutantName } from '../verify/simulation/mutants.ts';
import { mutate } from '../verify/fixtures/planted-fault.ts';
import { MUTANTS } from '../verify/simulation/mutants.ts';
import { Player, findMutant } from '../verify/simulation/players.ts';
import type { Report } from '../verify/simulation/worker.ts';
import { naiveResumeTime } from '../verify/invariants/resume-time.ts';

/** A busy machine plays a history in half a minute. */
const TIMEOUT_MS = 600_000;

describe('a simulated history', () => {
  const played = new Map<string, Report>();
  beforeAll(async () => {
    for (const report of await playAll(['1', '2', '3', '4', '5'])) played.set(report.seed, report);
  }, TIMEOUT_MS);

  test('is identical in every order and process: every statement, with its values', async () => {
    const again = await playAll(['3', '2', '1']);
    expect(again.map(({ digest }) => digest)).toEqual(again.map(({ seed }) => played.get(seed)?.digest));
    expect(new Set(again.map(({ digest }) => digest)).size).toBe(again.length);
  });

  test('covers the product: campaigns are held and written to, manual acts interleave, emails are sent', () => {
    const sums: Record<string, number> = {};
    for (const { violations, facts } of played.values()) {
      expect(violations).toEqual([]);
      for (const [name, value] of Object.entries(facts)) sums[name] = (sums[name] ?? 0) + value;
    }
    expect(sums['holds']).toBeGreaterThan(3);
    expect(sums['writes']).toBeGreaterThan(5);
    expect(sums['mails']).toBeGreaterThan(5);
    expect(sums['crossings']).toBeGreaterThan(3);
    expect(sums['undisturbed pauses']).toBeGreaterThan(3);
  });

  async function playAll(seeds: readonly string[]): Promise<Report[]> {
    const player = await Player.start(null);
    try {
      const reports: Report[] = [];
      for (const seed of seeds) reports.push(await player.play({ seed, only: null }));
      return reports;
    } finally {
      player.stop();
    }
  }
});

test('every mutant applies to the source', () => {
  for (const [name, fault] of Object.entries(MUTANTS)) expect(() => mutate(fault), name).not.toThrow();
});

describe('a fault planted in the reconciler is found within 200 histories', () => {
  test.each<MutantName>(['hold-what-is-paused-already', 'forget-the-intent', 'delay-resumes-while-unknown'])(
    '%s',
    async (mutant) => expect(await findMutant(mutant, 200)).not.toBeNull(),
    TIMEOUT_MS,
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
