import type { CanaryRun } from '#core/detection/canary.ts';
import { callsAfter, nextRunAt, reasonOf } from '#core/detection/canary.ts';
import type { CallKind } from '#core/detection/votes.ts';
import type { PlatformFailure } from '#core/platform.ts';
import { minutes } from '#core/time.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/database.ts';
import { CANARY, claimCanary, saveCanary } from '../db/detection.ts';
import type { AppAccess, CanaryCalls } from '../platforms/platform.ts';
import type { Votes } from './count-votes.ts';

/** A process that dies in a run delays the next one by this time. */
const LEASE_MS = minutes(2);

interface Deps {
  db: Db;
  clock: Clock;
  /** Null: not configured. */
  canary: CanaryCalls | null;
  votes: Votes;
  app: Pick<AppAccess, 'stopped'>;
}

/** Calls the platform on the operator's own ad account, if that is due and no other process does. */
export async function runCanary({ db, clock, canary, votes, app }: Deps): Promise<void> {
  // What it is answered then says nothing about our users' tokens, nor ends the stop.
  if (canary === null || app.stopped() !== null) return;
  const at = clock.now();
  const claimed = await claimCanary(db, at, at + LEASE_MS);
  if (claimed === null) return;
  const { before } = claimed;
  const found: { kind: CallKind; failure: PlatformFailure }[] = [];
  const note = (kind: CallKind, result: { ok: true } | { ok: false; failure: PlatformFailure }): void => {
    const failure = result.ok ? null : result.failure;
    // Another process may have made the run before.
    votes.count(CANARY, kind, failure, before?.failed[kind] !== undefined);
    if (failure !== null) found.push({ kind, failure });
  };
  const calls = callsAfter(before);
  const [read, spend] = await Promise.all([
    canary.readCampaign(),
    calls.spend ? canary.readSpend(new Date(at).toISOString().slice(0, 10)) : null,
  ]);
  note('campaigns', read);
  if (spend !== null) note('spend', spend);
  const campaign = read.ok ? read.value : (before?.campaign ?? null);
  if (campaign !== null && calls.writes) note('writes', await canary.validate(campaign));
  const run: CanaryRun = {
    at,
    failures: found.length === 0 ? 0 : (before?.failures ?? 0) + 1,
    failed: Object.fromEntries(found.map(({ kind, failure }) => [kind, wordsOf(failure)])),
    why: reasonOf(found.map(({ failure }) => failure)),
    ...{ campaign, usedPercent: canary.takeUsedPercent() },
  };
  await saveCanary(db, run, nextRunAt(run));
}

function wordsOf({ code, message }: PlatformFailure): string {
  return code === null ? message : `error ${code}`;
}
