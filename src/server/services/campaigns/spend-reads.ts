import type { PlatformFailure } from '#core/platform.ts';
import { describeFailure, isOfUser, wasSent } from '#core/platform.ts';
import type { Usage } from '#core/platform-usage.ts';
import type { SpendProgress } from '#core/spend/reading.ts';
import { SPEND_START, daysToRead, isGivenUp, isLost, nextNight, withoutReport } from '#core/spend/reading.ts';
import { minutes } from '#core/time.ts';
import type { NextJob } from '../../db/account-jobs.ts';
import { AS_BEFORE, readProgress, saveProgress } from '../../db/account-jobs.ts';
import { findSpendAccount, findUnread, saveSpend } from '../../db/campaign-spend.ts';
import { readStatus } from '../../db/status/status.ts';
import { findToken } from '../../db/users/tokens.ts';
import type { Needs } from '../deps.ts';
import { doDueJobs } from '../../due-jobs.ts';

type Deps = Needs<'db' | 'cipher' | 'clock' | 'owner' | 'app' | 'isPlatformDown' | 'spendReports'> & {
  log: Pick<Needs<'log'>['log'], 'info' | 'error'>;
};

const AT_ONCE = 10;
/** A process that ends waits for some of them. */
const MOST_STEPS = 500;
/** Between two steps of an ad account. */
const STEP_MS = minutes(1);
const BUSY_MS = minutes(15);
const FAILED_MS = minutes(15);
const LIMITED_MS = minutes(30);
/** Of Meta's limit of the insights, from here on the next step waits. */
const HIGH_PERCENT = 75;

/**
 * Takes the next step of each job that is due: the reconciler needs nothing of Meta now. Every step looks at what is
 * stored, so that one that was lost, or done twice, changes nothing.
 */
export async function readSpend(deps: Deps): Promise<void> {
  let isDown = false;
  const mayRead = async (): Promise<boolean> => {
    const { app, isPlatformDown, db } = deps;
    if (isDown || isPlatformDown() || app.stopped() !== null || app.isSparing()) return false;
    return (await readStatus(db)).known === 'UP';
  };
  const act = async (accountId: string): Promise<NextJob> => {
    const next = await readSpendOf(deps, accountId);
    if (next === AS_BEFORE) isDown = true;
    return next;
  };
  for (let steps = 0; steps < MOST_STEPS && (await mayRead());) {
    const done = await doDueJobs(deps, 'spend', AT_ONCE, act);
    if (done === 0) return;
    steps += done;
  }
}

async function readSpendOf(deps: Deps, accountId: string): Promise<NextJob> {
  const { db, cipher, clock, owner } = deps;
  const account = await findSpendAccount(db, accountId, clock.now());
  if (account === null) return null;
  if (account.isBusy) return BUSY_MS;
  const { timeZone } = account;
  let progress = (await readProgress(db, accountId, 'spend')) ?? SPEND_START;
  let next: NextJob | 'night' = 'night';
  for (const userId of account.userIds) {
    const token = await findToken(db, cipher, userId);
    if (token === null) continue;
    const step = await takeStep(deps, { accountId, timeZone, token }, progress);
    ({ progress } = step);
    next = step.next === 'other user' ? 'night' : step.next;
    if (step.next !== 'other user') break;
  }
  if (isGivenUp(progress)) next = 'night';
  await saveProgress(db, { accountId, kind: 'spend', owner }, next === 'night' ? null : progress);
  return next === 'night' ? nextNight(timeZone, clock.now()) - clock.now() : next;
}

interface Reader {
  accountId: string;
  timeZone: string;
  token: string;
}

interface Step {
  progress: SpendProgress;
  /** `night`: all is read. */
  next: NextJob | 'night' | 'other user';
}

/** Reads the report that was begun, if Meta has made it, and begins the next one. */
async function takeStep(deps: Deps, reader: Reader, before: SpendProgress): Promise<Step> {
  const { report } = before;
  if (report === null) return beginReport(deps, reader, before);
  const { db, clock, spendReports } = deps;
  const { accountId, token } = reader;
  const { day, campaignIds, askedAt } = report;
  const read = await spendReports.read(token, accountId, day, report.id);
  if (!read.ok) return afterFailure(deps, reader, before, read);
  if (read.value === 'PENDING') {
    const progress = isLost(before, clock.now()) ? withoutReport(before, null) : before;
    return { progress, next: STEP_MS };
  }
  if (read.value === 'FAILED')
    return { progress: withoutReport(before, countOf(campaignIds, accountId)), next: STEP_MS };
  await saveSpend(db, { day, readAt: askedAt, campaignIds }, read.value);
  const progress = { ...before, report: null, failures: 0 };
  return isHigh(read.usage) ? { progress, next: BUSY_MS } : beginReport(deps, reader, progress);
}

async function beginReport(deps: Deps, reader: Reader, before: SpendProgress): Promise<Step> {
  const { db, clock, spendReports } = deps;
  const { accountId, timeZone, token } = reader;
  const now = clock.now();
  const wanted = daysToRead(timeZone, now);
  const unread = await findUnread(db, accountId, { wanted, most: before.most, now });
  if (unread === null) return { progress: before, next: 'night' };
  const wantedIds = countOf(unread.campaignIds, accountId) === null ? null : unread.campaignIds;
  const begun = await spendReports.begin(token, accountId, unread.day, wantedIds);
  if (!begun.ok) return afterFailure(deps, reader, before, begun);
  const progress =
    begun.value === null
      ? withoutReport(before, countOf(unread.campaignIds, accountId))
      : { ...before, report: { id: begun.value, ...unread, askedAt: now } };
  return { progress, next: isHigh(begun.usage) ? BUSY_MS : STEP_MS };
}

/** Null: it is of the ad account, for all its campaigns together. */
function countOf(campaignIds: readonly string[], accountId: string): number | null {
  return campaignIds.includes(accountId) ? null : campaignIds.length;
}

function isHigh(usage: Usage | null): boolean {
  return usage !== null && usage.percent >= HIGH_PERCENT;
}

interface Failed {
  failure: PlatformFailure;
  usage: Usage | null;
}

/** A limit of the insights holds up only this job; a user who may not read leaves it to the next one. */
function afterFailure(
  { log, clock }: Deps,
  { accountId }: Reader,
  before: SpendProgress,
  { failure, usage }: Failed,
): Step {
  log.info({ account: accountId, failure: describeFailure(failure) }, 'spend could not be read');
  if (failure.kind === 'rate_limited') {
    const stated = Math.max(failure.retryAfterMs ?? 0, (usage?.regainAt ?? 0) - clock.now());
    return { progress: before, next: Math.max(LIMITED_MS, stated) };
  }
  if (!wasSent(failure) || failure.nextProbeInMs !== undefined) return { progress: before, next: AS_BEFORE };
  if (isOfUser(failure)) return { progress: before, next: 'other user' };
  // Meta may still make the report if it gave no answer.
  const report = failure.kind === 'transient' ? before.report : null;
  return { progress: { ...before, report, failures: before.failures + 1 }, next: FAILED_MS };
}
