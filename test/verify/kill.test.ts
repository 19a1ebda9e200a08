import { expect, test } from 'vitest';
import { killRun } from '../../verify/kill/run.ts';

const TIMEOUT_MS = 1_200_000;

test(
  '[ENG-14] processes killed at random and at chosen points: no write is lost or repeated, no campaign stays paused',
  async () => {
    const { broken, counts } = await killRun({
      ...{ kills: 8, processes: 2, users: 3, seed: 1 },
      databaseFaultEvery: 2,
    });
    expect(broken).toEqual([]);
    expect(counts.kills).toBeGreaterThanOrEqual(8);
    expect(counts['database faults']).toBeGreaterThanOrEqual(4);
    expect(counts.pauses).toBeGreaterThan(10);
    expect(counts.resumes).toBeGreaterThan(10);
  },
  TIMEOUT_MS,
);
