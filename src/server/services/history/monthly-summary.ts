import { totalOf } from '#core/coverage.ts';
import type { Month, Summary } from '#core/monthly-summary.ts';
import { isOfSummary, summaryDue } from '#core/monthly-summary.ts';
import { monthOf } from '#core/new-york.ts';
import { reasonOfOutage } from '#core/outages/why-not-paused.ts';
import type { Threshold } from '#core/smartpause/level.ts';
import { spendByMonth } from '#core/spend/months.ts';
import { recordActivities } from '../../db/activities.ts';
import type { Db } from '../../db/database.ts';
import { findEstimatesSince } from '../../db/outage-estimates.ts';
import { readCoverages } from '../../db/reports/coverage.ts';
import { findUserOutages } from '../../db/reports/outage-history.ts';
import { findUsersToSummarize } from '../../db/reports/summary-users.ts';
import { readStatus } from '../../db/status/status.ts';
import { findReads } from '../../db/status/status-reads.ts';
import type { User } from '../../db/users/users.ts';
import { findUsers } from '../../db/users/users.ts';
import type { Needs } from '../deps.ts';
import { findLiveRecords } from './record-outages.ts';

type Deps = Needs<'db' | 'clock'>;

/** In one run: an outage's emails wait for those of one run at most. */
const USERS = 200;
/** More than a month has; its first ones are then missing. */
const OUTAGES = 200;

/** A summary of the last month for some subscribers, once it is due. Repeats, also of another process, write no second one. */
export async function sumUpMonths({ db, clock }: Deps): Promise<void> {
  const now = clock.now();
  const due = summaryDue(now);
  if (due === null || (await readStatus(db)).known !== 'UP') return;
  const ids = await findUsersToSummarize(db, due, { now, limit: USERS });
  for (const user of (await findUsers(db, ids)).values()) {
    const facts = await summaryOf({ db, clock }, user, due);
    const summary = { userId: user.id, actor: 'smartpause', event: 'month_summarized', facts } as const;
    await recordActivities(db, [summary], clock.now());
  }
}

async function summaryOf({ db, clock }: Deps, user: User, due: Month): Promise<Summary> {
  const outages = await outagesOf(db, user, due, clock.now());
  const estimates = await findEstimatesSince(db, user.id, due.from);
  const inMonth = estimates.filter(({ startedAt }) => monthOf(startedAt) === due.month);
  const coverage = (await readCoverages(db, [user.id], { now: clock.now(), match: null })).get(user.id) ?? [];
  return {
    month: due.month,
    threshold: thresholdOf(user, outages),
    since: (user.initializedAt ?? 0) > due.from ? user.initializedAt : null,
    outages: outages.filter(isOfSummary).map(({ id, startedAt, endedAt, paused, keptRunning, reason }) => ({
      ...{ startedAt, endedAt, paused, keptRunning, reason: paused > 0 ? null : reason },
      kept: inMonth.flatMap(({ outageId, currency, estimate: { kept } }) =>
        outageId === id && kept !== null ? { currency, ...kept } : [],
      ),
    })),
    milder: outages.flatMap((one) => (isOfSummary(one) ? [] : one.peak)),
    pausedMs: inMonth.reduce((sum, { estimate }) => sum + estimate.pausedMs, 0),
    sums: spendByMonth(inMonth).map(({ pausedMs: _ms, month: _month, ...sum }) => sum),
    reads: await findReads(db, due.month),
    running: coverage.some(({ isUnread }) => isUnread)
      ? null
      : {
          all: totalOf(coverage, ['protected', 'open', 'blocked']).count,
          protected: totalOf(coverage, ['protected']).count,
        },
  };
}

/** Null: it was changed since. */
function thresholdOf(user: User, outages: readonly { threshold: Threshold | null }[]): Threshold | null {
  const all = new Set([user.threshold, ...outages.flatMap(({ threshold }) => threshold ?? [])]);
  return all.size === 1 ? user.threshold : null;
}

/** Those that began in the month, since the user's setup; oldest first. */
async function outagesOf(db: Db, user: User, { from, until }: Month, now: number) {
  const live = await findLiveRecords(db, user, now);
  const found = await findUserOutages(db, live, { userId: user.id, since: from, limit: OUTAGES });
  return found
    .filter(({ startedAt, wasSetUp }) => startedAt < until && wasSetUp)
    .map(({ counts: { paused, keptRunning }, record, wasSetUp, ...outage }) => ({
      ...{ ...outage, paused, keptRunning },
      reason: reasonOfOutage(record, { wasSetUp, paused }),
    }))
    .toReversed();
}
