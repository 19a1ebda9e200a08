import { isNewlyRefused } from '#core/detection/canary.ts';
import type { PanelResult, Tests } from '#core/detection/panels.ts';
import { atRest, isAtRest, isControlled, testMinute } from '#core/detection/panels.ts';
import type { Panel } from '#core/detection/parameters.ts';
import { PANEL_NAMES, USUAL_MS } from '#core/detection/parameters.ts';
import { sumOfVotes } from '#core/detection/votes.ts';
import type { Instant } from '#core/time.ts';
import { hours, minutes, seconds } from '#core/time.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/database.ts';
import { prepare } from '../db/early-warning.ts';
import {
  endSignals,
  findVotes,
  lockDetection,
  readMedianShare,
  readVotes,
  saveMinute,
  saveSignal,
  saveTests,
} from '../db/detection.ts';

/** Every process stores the calls of a minute within this time after its end. */
export const STORED_WITHIN_MS = seconds(20);
/** Minutes before that are left out, such as while no worker ran. */
const LONGEST_BACKLOG_MS = minutes(15);
const MEDIAN_READ_MS = hours(1);

interface Deps {
  clock: Clock;
  /** Hosts that have nothing to do with the platform. */
  controlUrls: readonly URL[];
  /** The canary is configured. */
  hasCanary: boolean;
}

/** Tests the minutes that have ended, one after the other; one process at a time. */
export async function detect(deps: Deps & { db: Db }): Promise<void> {
  while (await inTransaction(deps.db, (tx) => testNext(tx, deps)));
}

async function testNext(tx: Db, { clock, controlUrls, hasCanary }: Deps): Promise<boolean> {
  const now = clock.now();
  const last = startOfMinute(now - STORED_WITHIN_MS) - minutes(1);
  const locked = await lockDetection(tx);
  if (locked === null) return false;
  const first = Math.max((locked.minute ?? 0) + minutes(1), startOfMinute(now - LONGEST_BACKLOG_MS));
  if (first > last) return false;
  const minute = isAtRest(locked.tests) ? await findVotes(tx, first, last) : first;
  if (minute === null) return false;
  const tests = await withUsual(tx, locked.tests, now);
  const votes = await readVotes(tx, minute);
  const at = minute + minutes(1);
  const silent = locked.minute === null ? 0 : (minute - locked.minute) / minutes(1) - 1;
  const isGap = minutes(silent) >= LONGEST_BACKLOG_MS && !isAtRest(tests);
  if (isGap) await endSignals(tx, minute - minutes(silent));
  const results = testMinute(isGap ? atRest(tests) : tests, votes, {
    ...{ at, silent, medianShare: tests.usual?.share ?? 0 },
    hasControls: isControlled(controlUrls),
    hasCanary,
    isCanaryRefused: hasCanary && locked.canary !== null && isNewlyRefused(locked.canary),
  });
  const isWatched = (of: Tests) => PANEL_NAMES.some((panel) => (of[panel]?.state ?? 'NORMAL') !== 'NORMAL');
  const after = { ...tests, calls: results.calls.test, canary: results.canary.test };
  if (isWatched(after) && !isWatched(tests)) await prepare(tx);
  for (const panel of PANEL_NAMES) await saveResult(tx, panel, results[panel], at);
  await saveMinute(tx, minute, sumOfVotes(votes.businesses, false));
  await saveTests(tx, minute, after);
  return true;
}

const startOfMinute = (at: Instant): Instant => Math.floor(at / minutes(1)) * minutes(1);

async function withUsual(tx: Db, tests: Tests, now: Instant): Promise<Tests> {
  if (tests.usual !== undefined && now - tests.usual.at < MEDIAN_READ_MS) return tests;
  return { ...tests, usual: { share: await readMedianShare(tx, now - USUAL_MS), at: now } };
}

function saveResult(tx: Db, panel: Panel, { test, evidence }: PanelResult, at: Instant): Promise<void> {
  const { state } = test;
  return saveSignal(tx, panel, state === 'NORMAL' ? null : { state, evidence }, at);
}
