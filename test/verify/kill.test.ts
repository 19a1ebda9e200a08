import { expect, inject, test } from 'vitest';
import { killRun } from '../../verify/kill/run.ts';

const TIMEOUT_MS = 1_200_000;

test(
  '[ENG-14] processes killed at random and at chosen points under load: nothing is lost, doubled or stranded',
  async () => {
    const postgresUrl = inject('postgresUrl');
    const { broken, counts } = await killRun({ kills: 8, processes: 2, users: 3, seed: 1, postgresUrl });
    expect(broken).toEqual([]);
    expect(counts.kills).toBeGreaterThanOrEqual(8);
    expect(counts.pauses).toBeGreaterThan(10);
    expect(counts.resumes).toBeGreaterThan(10);
  },
  TIMEOUT_MS,
);
