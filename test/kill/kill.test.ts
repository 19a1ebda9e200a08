import { describe, expect, test } from 'vitest';
import { killAtRandom } from '../../scripts/kill/killer.ts';
import { perform } from '../../scripts/kill/run.ts';

/** A short run of `npm run kill`, which kills hundreds of times and more than the server. */
describe('the server killed at random under load', () => {
  test('[ENG-14] ten times: nothing is lost, doubled or stranded', { timeout: 240_000 }, async () => {
    const options = {
      processes: 1,
      seed: 1,
      people: 3,
      withDelay: false,
      leaseMs: 1_500,
    } as const;
    const report = await perform(options, { happen: (stage) => killAtRandom(stage, 10) });
    expect(report.broken).toEqual([]);
    expect(report.kills).toBe(10);
    expect(report.counts.pauses).toBeGreaterThan(10);
    expect(report.counts.resumes).toBeGreaterThan(10);
  });
});
