import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { minutes } from '#core/time.ts';
import { OffsetClock } from '../../scripts/demo-mode/offset-clock.ts';
import { silentLog, useFreshDb } from '../../test/support/database.ts';
import type { NextJob } from './db/account-jobs.ts';
import { AS_BEFORE, claimJobs, planJobs, releaseJob } from './db/account-jobs.ts';
import { doDueJobs } from './due-jobs.ts';

const KIND = 'new_campaigns';
const LEASE_MS = minutes(2);

describe('jobs of ad accounts', () => {
  const clock = new OffsetClock();
  const db = useFreshDb(clock);
  const plan = (ids: string[], afterMs = 0) =>
    planJobs(db(), KIND, sql`select unnest(${ids}::text[])`, afterMs);
  const claim = async (owner: string, limit = 10) =>
    claimJobs(db(), KIND, limit, { owner, leaseMs: LEASE_MS });
  const claimed = async (owner = 'other') =>
    (await claim(owner)).map(({ accountId }) => accountId).toSorted();
  const run = (next: NextJob | Error, owner = 'me') =>
    doDueJobs({ db: db(), clock, owner, log: silentLog }, KIND, 10, () =>
      next instanceof Error ? Promise.reject(next) : Promise.resolve(next),
    );

  beforeEach(() => sql`truncate account_jobs`.execute(db()));

  test('each belongs to one process until its lease ends, and each kind is apart', async () => {
    await plan(['a', 'b', 'c']);
    await planJobs(db(), 'other_schedules', sql`select 'a'`);
    expect(await claim('me', 2)).toHaveLength(2);
    expect(await claimed()).toHaveLength(1);
    expect(await claimed('third')).toEqual([]);
    clock.advance(LEASE_MS);
    expect(await claimed('third')).toEqual(['a', 'b', 'c']);
  });

  test('a process whose lease has ended changes nothing', async () => {
    await plan(['a']);
    const [late] = await claim('me');
    if (late === undefined) throw new Error('nothing was claimed');
    clock.advance(LEASE_MS);
    expect(await claimed()).toEqual(['a']);
    await releaseJob(db(), late, minutes(15));
    clock.advance(LEASE_MS);
    expect(await claimed('third')).toEqual(['a']);
  });

  test.each<[string, NextJob | Error, number, number]>([
    ['a time later', minutes(15), minutes(14), minutes(15)],
    ['some time after a failure', new Error('a fault'), minutes(14), minutes(15)],
  ])('one that is done is due again %s', async (_title, next, before, at) => {
    await plan(['a']);
    expect(await run(next)).toBe(1);
    clock.advance(before);
    expect(await claimed()).toEqual([]);
    clock.advance(at - before);
    expect(await claimed()).toEqual(['a']);
  });

  test('one that could not begin stays due; one that is not needed waits until it is planned', async () => {
    await plan(['a']);
    await run(AS_BEFORE);
    expect(await run(null)).toBe(1);
    clock.advance(minutes(60));
    expect(await run(null)).toBe(0);
    await plan(['a']);
    expect(await run(minutes(15))).toBe(1);
    // Planned again, but not sooner than an hour after the last try.
    await plan(['a'], minutes(60));
    clock.advance(minutes(14));
    expect(await claimed()).toEqual([]);
  });
});
