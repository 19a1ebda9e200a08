import type { CanaryRun } from '#core/detection/canary.ts';
import { mayWrite, nextRunAt } from '#core/detection/canary.ts';
import type { CallKind } from '#core/detection/votes.ts';
import { voteOf } from '#core/detection/votes.ts';
import type { PlatformFailure } from '#core/platform.ts';
import { minutes } from '#core/time.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/database.ts';
import { claimCanary, saveCanary } from '../db/detection.ts';
import type { CanaryCalls } from '../platforms/platform.ts';
import type { Votes } from './count-votes.ts';

/** A process that dies in a run delays the next one by this time. */
const LEASE_MS = minutes(2);

interface Deps {
  db: Db;
  clock: Clock;
  /** Null: not configured. */
  canary: { calls: CanaryCalls; accountId: string } | null;
  votes: Votes;
}

/** Calls the platform on the operator's own ad account, if that is due and no other process does. */
export async function runCanary({ db, clock, canary, votes }: Deps): Promise<void> {
  if (canary === null) return;
  const at = clock.now();
  const claimed = await claimCanary(db, at, at + LEASE_MS);
  if (claimed === null) return;
  const { calls, accountId } = canary;
  const failed: CanaryRun['failed'] = {};
  const note = (kind: CallKind, result: { ok: true } | { ok: false; failure: PlatformFailure }) => {
    const failure = result.ok ? null : result.failure;
    votes.count(accountId, kind, failure);
    if (failure !== null && voteOf(failure) !== null)
      failed[kind] = failure.code === null ? failure.message : `error ${failure.code}`;
  };
  const [read, spend] = await Promise.all([
    calls.readCampaign(),
    calls.readSpend(new Date(at).toISOString().slice(0, 10)),
  ]);
  note('campaigns', read);
  note('spend', spend);
  const campaign = read.ok ? read.value : (claimed.before?.campaign ?? null);
  if (campaign !== null && mayWrite(claimed.before)) note('writes', await calls.validate(campaign));
  const failures = Object.keys(failed).length === 0 ? 0 : (claimed.before?.failures ?? 0) + 1;
  const run = { at, failures, failed, campaign, usedPercent: calls.usedPercent() };
  await saveCanary(db, run, nextRunAt(run));
}
