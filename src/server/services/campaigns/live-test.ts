import { ApiError } from '#contract/errors.ts';
import type { LiveTest } from '#contract/try-api.ts';
import { RETRY_WORDS, refusedChange } from '#core/outages/activity-text.ts';
import { TEST_RELEASE_LABELS, endLabel } from '#core/outages/release-labels.ts';
import { isSuspended } from '#core/app-state.ts';
import { undelivered } from '#core/campaign.ts';
import { newHold } from '#core/reconciler/world.ts';
import { isOn, wordOf } from '#core/smartpause/signals.ts';
import type { Status } from '#core/smartpause/status.ts';
import { currentStatus } from '#core/smartpause/status.ts';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';
import { recordActivities } from '../../db/activities.ts';
import { findOwnCampaign } from '../../db/campaigns.ts';
import { inTransaction } from '../../db/database.ts';
import type { StoredLiveTest } from '../../db/holds/live-tests.ts';
import { endLiveTest, findLastLiveTest, hasLiveTest, insertLiveTest } from '../../db/holds/live-tests.ts';
import { findActing } from '../../db/signals.ts';
import { readStatus } from '../../db/status/status.ts';
import type { User } from '../../db/users/users.ts';
import { ensureWorkItem, wake } from '../../db/work-items.ts';
import { requireMayAct } from '../users/may-act.ts';
import type { ServiceDeps } from '../deps.ts';
import { readNow } from './campaign-lists.ts';
import { PRECEDENCE_MS, findChangeable, requireReachable } from './manual-actions.ts';

/** Counted from the request: a pause that Meta has not accepted by then is not sent again. */
export const LIVE_TEST_MS = seconds(60);

/** The reconciler pauses the campaign at once and resumes it at the end of the test. */
export async function startLiveTest(deps: ServiceDeps, user: User, campaignId: string) {
  await requireMayAct(deps.db, user, deps.clock.now());
  const { accountId, name } = await findChangeable(deps, user, campaignId);
  const status = await requireNoOutage(deps, user);
  await requireReachable(deps, user, accountId);
  await readNow(deps, user, accountId);
  const campaign = await findOwnCampaign(deps.db, user.id, campaignId);
  if (campaign === null) throw new ApiError('CAMPAIGN_NOT_FOUND');
  if (campaign.status !== 'ACTIVE' || undelivered(campaign, deps.clock.now()) !== null)
    throw new ApiError('CAMPAIGN_NOT_RUNNING');
  const now = deps.clock.now();
  await inTransaction(deps.db, async (tx) => {
    if (await hasLiveTest(tx, user.id)) throw new ApiError('LIVE_TEST_RUNNING');
    await ensureWorkItem(tx, accountId);
    const hold = newHold({ status, readAt: now }, user, now, now + LIVE_TEST_MS);
    if (!(await insertLiveTest(tx, { accountId, campaignId, hold }))) throw new ApiError('CAMPAIGN_BUSY');
    const about = { userId: user.id, accountId, actor: 'user', campaign: { id: campaignId, name } } as const;
    await recordActivities(tx, [{ ...about, event: 'live_test', facts: { name: user.name } }], now);
    await wake(tx, [accountId], PRECEDENCE_MS);
  });
  deps.wake();
  return getLiveTest(deps, user);
}

/** While the status is unknown an outage may be on, and a pause that follows the test would be missed. The user's own word keeps it paused. */
async function requireNoOutage(deps: ServiceDeps, user: User): Promise<Status> {
  const now = deps.clock.now();
  const status = currentStatus(await readStatus(deps.db), now, deps.staleMs);
  if (status.known !== 'UP') throw new ApiError('OUTAGE_ONGOING');
  if (status.effective === 'UNKNOWN')
    throw new ApiError('OUTAGE_ONGOING', 'Meta’s status is unknown right now. Try again in a minute.');
  const acting = (await findActing(deps.db, [user.id], { now, matchBegan: null })).get(user.id) ?? [];
  if (wordOf(acting, now) !== null)
    throw new ApiError('OUTAGE_ONGOING', 'You chose “Pause all now”. Choose “Resume all” first.');
  if (acting.some((one) => isOn(one, now)))
    throw new ApiError('OUTAGE_ONGOING', 'An early warning pauses your campaigns now. Try again after it.');
  return status;
}

export async function stopLiveTest(deps: ServiceDeps, user: User) {
  const now = deps.clock.now();
  await inTransaction(deps.db, async (tx) => {
    const accountId = await endLiveTest(tx, user.id, now);
    if (accountId !== null) await wake(tx, [accountId], PRECEDENCE_MS);
  });
  deps.wake();
  return getLiveTest(deps, user);
}

export async function getLiveTest({ db, app }: Pick<ServiceDeps, 'db' | 'app'>, user: User) {
  const test = await findLastLiveTest(db, user.id);
  if (test === null) return null;
  const { id, startedAt, until, pausedAt } = test;
  const end = endOf(test, isSuspended(app.stopped()));
  return {
    ...{ id, startedAt, until, pausedAt, ...end },
    campaign: { id: test.campaignId, name: test.campaignName },
    adAccount: { id: test.accountId, name: test.accountName },
    resumedAt: end.state === 'resumed' ? test.endedAt : null,
  };
}

function endOf(
  test: StoredLiveTest,
  isAppSuspended: boolean,
): Pick<LiveTest, 'state' | 'reason'> & { refused?: { words: string; retryAt: Instant | null } } {
  const { state, outcome, until, pausedAt } = test;
  if (until === null) return { state: 'kept', reason: null };
  if (outcome === 'resumed') return { state: 'resumed', reason: null };
  const why = test.releaseReason ?? (outcome === 'not_needed' ? outcome : null);
  if (why !== null)
    return { state: 'ended', reason: endLabel({ reason: why, refusal: test.refusal }, TEST_RELEASE_LABELS) };
  if (pausedAt === null) return { state: 'pausing', reason: null };
  if (state === 'paused') return { state, reason: null };
  if (test.refusal === null) return { state: 'resuming', reason: null };
  return {
    state: 'ended',
    reason: `it stays paused for now. ${refusedChange(test.refusal)}. ${RETRY_WORDS}`,
    refused: { words: test.refusal, retryAt: isAppSuspended ? null : test.retryAt },
  };
}
