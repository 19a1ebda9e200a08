import type { UserStatus } from '#contract/shapes.ts';
import { isSuspended } from '#core/app-state.ts';
import { unreachedOf } from '#core/confirmation.ts';
import { notResumed } from '#core/reconciler/refusals.ts';
import type { Threshold } from '#core/smartpause/level.ts';
import { meetsThreshold } from '#core/smartpause/level.ts';
import { holdResumeAt } from '#core/smartpause/resume-time.ts';
import type { Signal } from '#core/smartpause/signals.ts';
import { besideWord, statusFor, wordOf } from '#core/smartpause/signals.ts';
import { leavingObstacleOf, resumeDelayOf } from '#core/smartpause/resume-delay.ts';
import type { Status } from '#core/smartpause/status.ts';
import { currentStatus, firstMatchSince } from '#core/smartpause/status.ts';
import type { Instant } from '#core/time.ts';
import { earliest } from '#core/time.ts';
import type { HeldAccount } from '../../db/reports/held-accounts.ts';
import { hasChosenCampaigns } from '../../db/campaigns.ts';
import { countHeldBy } from '../../db/holds/holds.ts';
import { hasTested } from '../../db/holds/live-tests.ts';
import { findActing } from '../../db/signals.ts';
import { readActing } from '../../db/detection.ts';
import { readHeldAccounts } from '../../db/reports/held-accounts.ts';
import { findRefusedResumes, findRefusingAccounts } from '../../db/holds/not-resumed.ts';
import { readCoverage } from '../../db/reports/coverage.ts';
import { readStillRunning } from '../../db/reports/still-running.ts';
import type { User } from '../../db/users/users.ts';
import type { StatusRow } from '../../db/status/status.ts';
import { readStatus } from '../../db/status/status.ts';
import type { Needs } from '../deps.ts';
import type { StatusDeps } from './platform-status.ts';

type UserStatusDeps = StatusDeps & Needs<'app'>;

export async function getUserStatus(deps: UserStatusDeps, user: User) {
  const { db, clock, staleMs } = deps;
  const now = clock.now();
  const page = await readStatus(db);
  const found = await findActing(db, [user.id], { now, matchBegan: firstMatchSince(page) });
  const signals = found.get(user.id) ?? [];
  const view = statusFor(page, signals, now);
  const level = statusFor(currentStatus(page, now, staleMs), signals, now).effective;
  const status = { page, view, signals };
  if (!meetsThreshold(level, user.threshold)) return readCounts(deps, { user, status, isMatched: false });
  // A pause that is stored between two reads would look like missing protection.
  const snapshot = db.transaction().setIsolationLevel('repeatable read');
  return snapshot.execute((tx) => readCounts({ ...deps, db: tx }, { user, status, isMatched: true }));
}

interface Counted {
  user: User;
  status: { page: StatusRow; view: Status; signals: readonly Signal[] };
  isMatched: boolean;
}

async function readCounts(deps: UserStatusDeps, { user, status, isMatched }: Counted) {
  const appStop = deps.app.stopped();
  const matchBegan = matchBeside(status, user.threshold, deps.clock.now());
  const held = await readHeldAccounts(deps.db, user.id, { now: deps.clock.now(), matchBegan });
  const ofApp = { isSuspended: isSuspended(appStop), isAppLimited: appStop === 'limited' };
  const accounts = held.map((one) => ({ ...one, ...ofApp }));
  const heldCampaigns = countHeld(accounts);
  const { refusing, notResumed: left } = await findRefused(deps, user);
  const heldProtected = countHeld(accounts.filter((account) => !account.deliversNothing));
  const { page, view, signals } = status;
  const now = deps.clock.now();
  const word = wordOf(signals, now);
  const dueAt = ({ began, timeZone }: HeldAccount): Instant | null => {
    const choice = { resume: user.resumeSettings, timeZone, signals, isWanted: word?.until === null };
    const from = word?.until ?? now;
    const due = began.map((one) => holdResumeAt(page, { ...choice, ...one }, from));
    return earliest(due.map((at) => (at === null || word === null ? at : Math.max(at, from))));
  };
  const first = earliest(accounts.map(dueAt));
  // While only the warning keeps them paused, also what an outage or the user's word has paused before.
  const keepsAll = word === null && matchBegan !== null && !meetsThreshold(page.known, user.threshold);
  const isCounted = heldCampaigns > 0 && !keepsAll;
  const pausedEarly = isCounted ? await countHeldBy(deps.db, user.id, 'early_warning') : heldCampaigns;
  return {
    resumeSettings: user.resumeSettings,
    outageThreshold: user.threshold,
    email: user.email,
    unreached: unreachedOf(user) ?? undefined,
    onForNewCampaigns: user.onForNewCampaigns,
    monthlySummary: user.hasMonthlySummary,
    earlyWarning: user.earlyWarning,
    earlyWarningsAct: (await readActing(deps.db)) !== null,
    resumeAt: first,
    hasChosenCampaigns: await hasChosenCampaigns(deps.db, user.id),
    ...((await hasTested(deps.db, user.id)) && { hasTested: true as const }),
    heldCampaigns,
    heldAccounts: accounts.map((account) =>
      toHeldAccount(account, { due: dueAt(account), first, now: deps.clock.now() }),
    ),
    coverage: await readCoverage(deps.db, user.id, {
      now: deps.clock.now(),
      match: isMatched ? { since: view.matchSince[user.threshold] } : null,
    }),
    ...(refusing.length > 0 && { refusingAccounts: refusing }),
    ...(left > 0 && { notResumed: left }),
    ...(ofApp.isSuspended && { isSuspended: true as const }),
    ...(pausedEarly > 0 && { pausedEarly }),
    ...(word !== null && {
      pausedAll: {
        since: word.since,
        until: word.until,
        campaigns: await countHeldBy(deps.db, user.id, 'user'),
      },
    }),
    ...(isMatched && (await duringMatch(deps, { user, status, heldProtected }))),
  };
}

/** Since when the user has a match beside their own word; null: there is none. */
function matchBeside({ page, signals }: Counted['status'], threshold: Threshold, now: Instant) {
  const { known, matchSince } = statusFor(page, besideWord(signals), now);
  return meetsThreshold(known, threshold) ? matchSince[threshold] : null;
}

/** Ad accounts with a change that Meta refuses, and campaigns whose resume it refused for good. */
async function findRefused({ db, clock }: Needs<'db' | 'clock'>, { id }: User) {
  const now = clock.now();
  const left = [...notResumed(await findRefusedResumes(db, [id], now), now).values()];
  const accountIds = left.map(({ accountId }) => accountId);
  return { refusing: await findRefusingAccounts(db, id, accountIds), notResumed: left.length };
}

function countHeld(accounts: readonly HeldAccount[]): number {
  return accounts.reduce((sum, { count }) => sum + count, 0);
}

function toHeldAccount(
  account: HeldAccount & { isSuspended: boolean; isAppLimited: boolean },
  { due, first, now }: { due: Instant | null; first: Instant | null; now: Instant },
) {
  const { id, name, count, currency, timeZone, budget, unknownBudgets, postponed, deliversNothing } = account;
  const leavingObstacle = leavingObstacleOf(account);
  const delayedBy = due === null ? null : resumeDelayOf({ ...account, resumeAt: due, now });
  return {
    id,
    name,
    count,
    spend: { count, budget, unknownBudgets },
    ...(currency !== null && { currency }),
    ...(timeZone !== null && { timeZone }),
    ...(due !== null && due !== first && { resumeAt: due }),
    ...(delayedBy !== null && { delayedBy }),
    ...(leavingObstacle !== null && { leavingObstacle }),
    ...(postponed !== null && { postponed }),
    ...(deliversNothing && { deliversNothing: true as const }),
  };
}

interface Matched extends Pick<Counted, 'user' | 'status'> {
  /** Those that Meta would deliver. */
  heldProtected: number;
}

/** While the threshold is met: what is protected, and the campaigns still to be paused with the reason. */
async function duringMatch(
  { db, clock, app }: Needs<'db' | 'clock' | 'app'>,
  { user, status, heldProtected }: Matched,
): Promise<Pick<UserStatus, 'notYetPaused' | 'pauseRefused' | 'protectedRunning'>> {
  // Nothing new is paused for a user who leaves.
  if (user.leaving !== null) return { protectedRunning: heldProtected };
  const now = clock.now();
  const matchSince = status.view.matchSince[user.threshold];
  const found = await readStillRunning(db, user.id, { now, matchSince });
  const { count, running, isUnanswered, isLimited } = found;
  const protectedRunning = running + heldProtected;
  if (protectedRunning === 0) return { protectedRunning };
  const pauseRefused = found.refused > 0 && { pauseRefused: found.refused };
  if (count === 0) return { protectedRunning, ...pauseRefused };
  const ofAccount = isUnanswered ? 'no_answer' : isLimited ? 'limit' : null;
  const ofApp = isSuspended(app.stopped()) ? null : 'app_limit';
  const because = app.stopped() === null ? ofAccount : ofApp;
  return { protectedRunning, ...pauseRefused, notYetPaused: { count, because } };
}
