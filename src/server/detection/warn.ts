import type { Evidence, WarningEvidence } from '#core/detection/fusion.ts';
import {
  bothLastMs,
  nextWarning,
  pageSaying,
  pauses,
  probabilityOf,
  sayingOf,
} from '#core/detection/fusion.ts';
import { THRESHOLDS } from '#core/smartpause/level.ts';
import type { Instant } from '#core/time.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/database.ts';
import type { OpenSignal, Warning } from '../db/early-warning.ts';
import {
  findOpenSignals,
  findWarning,
  lockActing,
  markWeighed,
  replaceWarning,
  updateEvidence,
} from '../db/early-warning.ts';
import { requestWake } from '../db/status/account-wakes.ts';
import { readComponents, readStatus } from '../db/status/status.ts';

interface Deps {
  db: Db;
  clock: Clock;
  /** Of the reconciler. */
  wake: () => void;
}

/** Puts together what calls, canary, delivery and page say. One process at a time. */
export async function warn({ db, clock, wake }: Deps): Promise<void> {
  const isChanged = await inTransaction(db, async (tx) => {
    const actingSince = await lockActing(tx, { waits: false });
    if (actingSince === undefined) return false;
    return weigh(tx, actingSince !== null, clock.now());
  });
  if (isChanged) wake();
}

/** An early warning that was only recorded is another one for users once it acts. @returns whether the reconciler has work */
export async function weigh(tx: Db, acts: boolean, now: Instant): Promise<boolean> {
  await markWeighed(tx, now);
  const signals = await findOpenSignals(tx);
  const before = await findWarning(tx);
  const evidence = await evidenceOf(tx, signals);
  const said = before?.acts === false && acts ? null : before;
  const state = nextWarning(said?.state ?? 'NORMAL', evidence, bothLastMs(signals, now));
  if (state === 'NORMAL') return before !== null && changeWarning(tx, before, null, now);
  const found = { state, acts, evidence: foundBy(signals, evidence, said, now) };
  if (before?.state === state && before.acts === acts) {
    if (JSON.stringify(found.evidence) !== JSON.stringify(before.evidence))
      await updateEvidence(tx, before.id, found.evidence);
    return false;
  }
  return changeWarning(tx, before, found, now);
}

/** Its end, or its next state, is also that of the pauses it has begun. @returns whether the reconciler has work */
async function changeWarning(
  tx: Db,
  before: Warning | null,
  next: Pick<Warning, 'state' | 'acts' | 'evidence'> | null,
  now: Instant,
): Promise<boolean> {
  await replaceWarning(tx, before, next, now);
  if (pauses(before) === pauses(next)) return false;
  await requestWake(tx, THRESHOLDS);
  return true;
}

async function evidenceOf(tx: Db, signals: readonly OpenSignal[]): Promise<Evidence> {
  const { trueLevel } = await readStatus(tx);
  return { ...sayingOf(signals), ...pageSaying(trueLevel, await readComponents(tx)) };
}

/** What is no longer found is kept: the pauses stand on it. */
function foundBy(
  signals: readonly OpenSignal[],
  evidence: Evidence,
  before: Warning | null,
  now: Instant,
): WarningEvidence {
  const found = signals.filter(({ state }) => state === 'SUSPECTED');
  const kept = (before?.evidence.parts ?? [])
    .filter(({ source }) => !found.some((one) => one.source === source))
    .map((one) => ({ ...one, isOver: true }));
  return {
    since: before?.evidence.since ?? now,
    probability: Math.round(probabilityOf(evidence) * 1000) / 1000,
    parts: [...kept, ...found.map(({ source, evidence: own }) => ({ source, evidence: own }))],
  };
}
