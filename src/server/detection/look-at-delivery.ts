import { CENTS } from '#core/budget-order.ts';
import type { DeliveryProgress, DeliveryVote, Look } from '#core/detection/delivery.ts';
import { compareLooks, directionOf, formerHours, lookBefore, nextLookMs } from '#core/detection/delivery.ts';
import { DELIVERY } from '#core/detection/parameters.ts';
import type { PlatformFailure } from '#core/platform.ts';
import { describeFailure, isOfUser, wasSent } from '#core/platform.ts';
import { SPEND_MS } from '#core/periods.ts';
import { dayOf, localHourOf } from '#core/spend/local-hours.ts';
import { days } from '#core/time.ts';
import type { Clock } from '../clock.ts';
import type { NextJob } from '../db/account-jobs.ts';
import { AS_BEFORE, readProgress, saveProgress } from '../db/account-jobs.ts';
import { findSpendAccount } from '../db/campaign-spend.ts';
import type { Db } from '../db/database.ts';
import { findFormerDelivery, findLooks, saveLook } from '../db/delivery.ts';
import { findOutagesBetween } from '../db/status/outages.ts';
import { findToken } from '../db/users/tokens.ts';
import { doDueJobs } from '../due-jobs.ts';
import type { Log } from '../observability/log.ts';
import type { AppAccess, SpendReports } from '../platforms/platform.ts';
import type { TokenCipher } from '../secrets.ts';

interface Deps {
  db: Db;
  cipher: TokenCipher;
  clock: Clock;
  /** Names this process in leases. */
  owner: string;
  app: Pick<AppAccess, 'stopped' | 'isSparing'>;
  isPlatformDown: () => boolean;
  spendReports: Pick<SpendReports, 'readDay'>;
  log: Pick<Log, 'info' | 'error'>;
}

const AT_ONCE = 10;
/** Of Meta's limit of the insights, from here on the next look waits longer. */
const HIGH_PERCENT = 75;
/** What was paused catches up until midnight. */
const CATCHES_UP_MS = days(1);

/** Looks at the ad accounts that are due, also in an outage: what it does to delivery is wanted. */
export async function lookAtDelivery(deps: Deps): Promise<void> {
  const { app, isPlatformDown } = deps;
  let isDown = false;
  const act = async (accountId: string): Promise<NextJob> => {
    const next = await lookAt(deps, accountId);
    if (next === AS_BEFORE) isDown = true;
    return next;
  };
  const mayLook = () => !isDown && !isPlatformDown() && app.stopped() === null && !app.isSparing();
  while (mayLook()) if ((await doDueJobs(deps, 'delivery', AT_ONCE, act)) === 0) return;
}

interface Account {
  accountId: string;
  timeZone: string;
  currency: string;
}

async function lookAt(deps: Deps, accountId: string): Promise<NextJob> {
  const { db, cipher, clock, owner, log, spendReports } = deps;
  const account = await findSpendAccount(db, accountId, clock.now());
  if (account === null) return null;
  const before = (await readProgress(db, accountId, 'delivery')) ?? { failures: 0, vote: null };
  const day = dayOf(localHourOf(account.timeZone, clock.now()));
  let failure: PlatformFailure | null = null;
  let after: DeliveryProgress = { ...before, failures: before.failures + 1 };
  for (const userId of account.userIds) {
    const token = await findToken(db, cipher, userId);
    if (token === null) continue;
    const read = await spendReports.readDay(token, accountId, day);
    failure = read.ok ? null : read.failure;
    if (read.ok) {
      const look = { at: clock.now(), day, campaigns: read.value };
      const isHigh = read.usage !== null && read.usage.percent >= HIGH_PERCENT;
      const vote = await compare(db, { ...account, accountId }, look);
      after = { failures: isHigh ? after.failures : 0, vote };
    }
    if (failure === null || !isOfUser(failure)) break;
  }
  if (failure !== null) {
    log.info({ account: accountId, failure: describeFailure(failure) }, 'delivery could not be read');
    if (!wasSent(failure) || failure.nextProbeInMs !== undefined) return AS_BEFORE;
  }
  await saveProgress(db, { accountId, kind: 'delivery', owner }, after);
  return Math.max(nextLookMs(after.failures), failure?.retryAfterMs ?? 0);
}

/** Stores the look. @returns null: it cannot be compared */
async function compare(db: Db, account: Account, look: Look): Promise<DeliveryVote | null> {
  const { accountId, timeZone, currency } = account;
  const { at } = look;
  const before = lookBefore(look, await findLooks(db, accountId, at - DELIVERY.windowMs.most));
  await saveLook(db, accountId, look);
  if (before === null) return null;
  const window = { from: before.at, until: at };
  const outages = (await findOutagesBetween(db, at - SPEND_MS - days(1), at)).map(
    ({ startedAt, endedAt }) => ({ from: startedAt, until: endedAt ?? at }),
  );
  const hours = formerHours(timeZone, window, outages);
  const known = await findFormerDelivery(db, accountId, { hours, heldSince: at - CATCHES_UP_MS });
  const direction = directionOf(compareLooks(look, before, known), CENTS[currency] ?? 1);
  return direction === null ? null : { at, from: before.at, direction };
}
