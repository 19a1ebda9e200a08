import { describe, expect, test } from 'vitest';
import { mutate } from '../verify/fixtures/planted-fault.ts';
import { MUTANTS } from '../verify/simulation/mutants.ts';
import { Player } from '../verify/simulation/player.ts';
import { naiveResumeTime } from '../verify/invariants/status.ts';

test('a simulated history is identical when it is played again: every statement, with its values', async () => {
  const player = new Player(null);
  try {
    const first = await player.play({ seed: '3', only: null });
    const again = await player.play({ seed: '3', only: null });
    expect(first.violations).toEqual([]);
    expect(first.facts['writes']).toBeGreaterThan(0);
    expect(again.digest).toBe(first.digest);
  } finally {
    player.stop();
  }
});

test('every mutant applies to the source', () => {
  for (const [name, fault] of Object.entries(MUTANTS)) expect(() => mutate(fault), name).not.toThrow();
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
