import type { Api } from '#contract/api.ts';
import type { BodyOf, ResultOf } from '#contract/endpoint.ts';
import { API_ERRORS, ApiError } from '#contract/errors.ts';
import type { CampaignAction } from '#contract/shapes.ts';
import { RESULT_TIMEOUT_MS } from '#core/reconciler/hold.ts';
import { notResumed } from '#core/reconciler/refusals.ts';
import { RETRY_WORDS, asSentence, refusedChange } from '#core/outages/activity-text.ts';
import { endLabel, resultOfEnd } from '#core/outages/release-labels.ts';
import { meetsThreshold } from '#core/smartpause/level.ts';
import { statusFor, wordOf } from '#core/smartpause/signals.ts';
import { firstMatchSince } from '#core/smartpause/status.ts';
import type { OwnCampaign, Watched } from '../../db/campaigns.ts';
import { findOwnCampaigns, findWatched } from '../../db/campaigns.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/database.ts';
import type { ChangePart, FollowedChange, FollowedPart } from '../../db/holds/campaign-changes.ts';
import {
  askForResume,
  findAccountsHeldForOthers,
  findBusy,
  findCampaignChange,
  insertCampaignChange,
} from '../../db/holds/campaign-changes.ts';
import { findRefusedResumes } from '../../db/holds/not-resumed.ts';
import { addManualChanges } from '../../db/holds/manual-changes.ts';
import { findActing } from '../../db/signals.ts';
import { readStatus } from '../../db/status/status.ts';
import { findToken } from '../../db/users/tokens.ts';
import type { User } from '../../db/users/users.ts';
import { ensureWorkItem, wake } from '../../db/work-items.ts';
import { requireChangeable, requireMayAct } from '../users/may-act.ts';
import type { ServiceDeps } from '../deps.ts';
import { requireListing } from './ad-accounts.ts';
import { PRECEDENCE_MS, requireReachable } from './manual-actions.ts';
import { turnSmartPause } from './smartpause-toggle.ts';
import { waitUntil } from '../wait-until.ts';

type Change = ResultOf<Api['campaignChange']>;
type Own = Watched | OwnCampaign;

/**
 * Stores one request for several campaigns in one transaction. The reconciler carries it out, whatever happens to this
 * process and to the page. One campaign's result is waited for, as that of a manual change.
 */
export async function changeCampaigns(
  deps: ServiceDeps,
  user: User,
  { action, campaignIds }: BodyOf<Api['createCampaignChange']>,
): Promise<Change> {
  const ids = [...new Set(campaignIds)];
  const refusals = new Map<string, ApiError>();
  const accepted = await findAccepted(deps, user, { action, ids, refusals });
  const accountIds = [...new Set(accepted.map(({ accountId }) => accountId))].sort();
  const id = await inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now();
    const parts = new Map(ids.map((one) => [one, partOf(one, refusals.get(one))]));
    for (const accountId of accountIds) await ensureWorkItem(tx, accountId);
    await wake(tx, accountIds, action === 'on' || action === 'off' ? 0 : PRECEDENCE_MS);
    const given = { user, campaigns: accepted, accountIds, refusals, now };
    for (const part of await STORE[action](tx, given)) parts.set(part.campaignId, part);
    return insertCampaignChange(tx, { userId: user.id, action, parts: [...parts.values()] }, now);
  });
  deps.wake();
  let change = await getCampaignChange(deps, user, id);
  if (ids.length > 1) return change;
  await waitUntil(
    deps,
    async () => change.pending === 0 || (change = await getCampaignChange(deps, user, id)).pending === 0,
    { userId: user.id, timeoutMs: RESULT_TIMEOUT_MS },
  );
  return change;
}

/**
 * The campaigns that may be changed; the others get the error of the call for one campaign. Turning SmartPause off always
 * works: then a refusal is of the resume only.
 */
async function findAccepted(
  deps: ServiceDeps,
  user: User,
  given: { action: CampaignAction; ids: readonly string[]; refusals: Map<string, ApiError> },
): Promise<Own[]> {
  const { action, ids, refusals } = given;
  const needsAccess = action === 'on' || action === 'pause';
  const forAll = needsAccess ? await refusalOf(() => requireMayAct(deps.db, user, deps.clock.now())) : null;
  const turnsOff = action === 'off' || action === 'off_and_resume';
  const watched = turnsOff ? await findWatched(deps.db, user.id, ids) : [];
  const own = await findOwnCampaigns(deps.db, user.id, ids);
  const known = new Map<string, Own>([...watched, ...own].map((one) => [one.id, one]));
  const ofAccounts = await refusalsOfAccounts(deps, user, {
    action,
    accountIds: forAll === null ? [...new Set(own.map(({ accountId }) => accountId))] : [],
    campaignIds: ids,
  });
  return ids.flatMap((id) => {
    const campaign = known.get(id);
    const refusal =
      forAll ??
      (campaign === undefined
        ? new ApiError('CAMPAIGN_NOT_FOUND')
        : (refusalOfOne(action, campaign) ?? ofAccounts.get(campaign.accountId)));
    if (refusal) refusals.set(id, refusal);
    return campaign === undefined || (refusal && action !== 'off_and_resume') ? [] : [campaign];
  });
}

function refusalOfOne(action: CampaignAction, campaign: Own): ApiError | null {
  if (action === 'resume' && campaign.smartPauseSetting === 'ON') return new ApiError('SMARTPAUSE_ACTIVE');
  if (action === 'off') return null;
  if (!('mayPause' in campaign)) return new ApiError('CAMPAIGN_NOT_FOUND');
  try {
    requireChangeable(campaign);
    return null;
  } catch (error) {
    return expected(error);
  }
}

/**
 * A resume that is owed waits for Meta, and for its limits, so it needs the user's permission only. For another user's
 * hold Meta must not have ended the user's access: that user's token could carry out the resume.
 */
async function refusalsOfAccounts(
  deps: ServiceDeps,
  user: User,
  { action, ...of }: { action: CampaignAction } & Record<'accountIds' | 'campaignIds', readonly string[]>,
): Promise<Map<string, ApiError>> {
  const refusals = new Map<string, ApiError>();
  const isResumeNow = action === 'resume_now' || action === 'off_and_resume';
  const ofOthers = isResumeNow ? await findAccountsHeldForOthers(deps.db, user.id, of.campaignIds) : [];
  const hasToken = (await findToken(deps.db, deps.cipher, user.id)) !== null;
  for (const accountId of of.accountIds) {
    const refusal = await refusalOf(async () => {
      if (action === 'on') await requireListing(deps, user, accountId);
      if (action === 'pause' || action === 'resume') await requireReachable(deps, user, accountId);
      if (isResumeNow && !hasToken) throw new ApiError('TOKEN_EXPIRED');
      if (ofOthers.includes(accountId) && (await requireListing(deps, user, accountId)).isLost)
        throw new ApiError('AD_ACCOUNT_NOT_FOUND');
    });
    if (refusal !== null) refusals.set(accountId, refusal);
  }
  return refusals;
}

async function refusalOf(check: () => Promise<unknown>): Promise<ApiError | null> {
  return check().then(() => null, expected);
}

function expected(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

function partOf(campaignId: string, refusal?: ApiError): ChangePart {
  const done = { campaignId, failure: null, message: null, manualChangeId: null, holdId: null };
  return refusal === undefined ? done : { ...done, failure: refusal.code, message: refusal.message };
}

interface Given {
  user: User;
  campaigns: readonly Own[];
  accountIds: readonly string[];
  /** Of the resume, with 'off_and_resume'. */
  refusals: ReadonlyMap<string, ApiError>;
  now: number;
}

const turn =
  (setting: 'ON' | 'OFF') =>
  async (tx: Db, { user, campaigns, now }: Given): Promise<ChangePart[]> => {
    await turnSmartPause(tx, user, { setting, campaigns }, now);
    return [];
  };

const press =
  (status: 'ACTIVE' | 'PAUSED') =>
  async (tx: Db, { user, campaigns, now }: Given): Promise<ChangePart[]> => {
    const added = await addManualChanges(tx, { userId: user.id, status, campaigns }, now);
    return campaigns.map(({ id }) => {
      const manualChangeId = added.get(id);
      if (manualChangeId === undefined) return partOf(id, new ApiError('CAMPAIGN_BUSY'));
      return { ...partOf(id), manualChangeId };
    });
  };

/**
 * A campaign that runs already is as asked for: another user, or another page, has resumed it. One whose resume Meta
 * refused for good has no hold any more: its resume is a manual one.
 */
async function resumeNow(tx: Db, given: Given): Promise<ChangePart[]> {
  const { user, campaigns, accountIds, refusals, now } = given;
  const campaignIds = campaigns.map(({ id }) => id);
  const accepted = campaignIds.filter((id) => !refusals.has(id));
  const asked = await askForResume(tx, { userId: user.id, campaignIds: accepted }, now);
  const busy = await findBusy(tx, { accountIds, campaignIds: campaignIds.filter((id) => !asked.has(id)) });
  const refused = notResumed(await findRefusedResumes(tx, [user.id], now), now);
  const pausedBy = await findPausedBy(tx, user, now);
  const again = campaigns.filter(({ id }) => accepted.includes(id) && refused.has(id) && !busy.has(id));
  // It would be paused again at once.
  const repaused = (one: Own): boolean => pausedBy !== null && one.smartPauseSetting === 'ON';
  const manual = new Map(
    (await press('ACTIVE')(tx, { ...given, campaigns: again.filter((one) => !repaused(one)) })).map(
      (part) => [part.campaignId, part],
    ),
  );
  for (const { id } of again.filter(repaused))
    manual.set(id, partOf(id, new ApiError('SMARTPAUSE_ACTIVE', PAUSED_AGAIN[pausedBy ?? 'outage'])));
  const current = new Map((await findOwnCampaigns(tx, user.id, campaignIds)).map((one) => [one.id, one]));
  return campaignIds.map((id) => {
    const holdId = asked.get(id);
    if (holdId !== undefined) return { ...partOf(id), holdId };
    if (busy.has(id)) return partOf(id, refusals.get(id) ?? new ApiError('CAMPAIGN_BUSY'));
    const part = manual.get(id);
    if (part !== undefined) return part;
    return partOf(id, current.get(id)?.status === 'ACTIVE' ? undefined : new ApiError('CAMPAIGN_NOT_HELD'));
  });
}

const PAUSED_AGAIN = {
  outage: 'The outage would pause it again. Turn SmartPause off for it first, or resume it after the outage.',
  early_warning:
    'The early warning would pause it again. Turn SmartPause off for it first, or resume it after the warning.',
  word: 'Your “Pause all now” would pause it again. Turn SmartPause off for it first, or choose “Resume all”.',
};

/** What pauses the user's campaigns now; null: nothing. */
async function findPausedBy(tx: Db, user: User, now: number): Promise<keyof typeof PAUSED_AGAIN | null> {
  const status = await readStatus(tx);
  const found = await findActing(tx, [user.id], { now, matchBegan: firstMatchSince(status) });
  const signals = found.get(user.id) ?? [];
  if (wordOf(signals, now) !== null) return 'word';
  if (meetsThreshold(status.known, user.threshold)) return 'outage';
  return meetsThreshold(statusFor(status, signals, now).known, user.threshold) ? 'early_warning' : null;
}

/** What is not held is only turned off, which takes back a former 'Resume now'. */
async function turnOffAndResume(tx: Db, given: Given): Promise<ChangePart[]> {
  await turn('OFF')(tx, given);
  const parts = await resumeNow(tx, given);
  return parts.map((part) => (part.failure === 'CAMPAIGN_NOT_HELD' ? partOf(part.campaignId) : part));
}

const STORE: Record<CampaignAction, (tx: Db, given: Given) => Promise<ChangePart[]>> = {
  on: turn('ON'),
  off: turn('OFF'),
  off_and_resume: turnOffAndResume,
  pause: press('PAUSED'),
  resume: press('ACTIVE'),
  resume_now: resumeNow,
};

export async function getCampaignChange(
  { db }: Pick<ServiceDeps, 'db'>,
  user: User,
  id: string,
): Promise<Change> {
  const change = await findCampaignChange(db, user.id, id);
  if (change === null) throw new ApiError('NOT_FOUND');
  return stateOf(change);
}

function stateOf({ id, action, startedAt, parts }: FollowedChange): Change {
  const results = parts.map((part) => ({ campaignId: part.campaignId, result: resultOf(part) }));
  const pending = results.filter(({ result }) => result === 'pending').length;
  const ends = parts.map(({ manual, hold }) => manual?.endedAt ?? hold?.endedAt ?? startedAt);
  return {
    ...{ id, action, startedAt, endedAt: pending > 0 ? null : Math.max(startedAt, ...ends) },
    ...{ total: parts.length, pending },
    done: results.flatMap(({ campaignId, result }) => (result === 'done' ? campaignId : [])),
    failed: results.flatMap(({ campaignId, result }) =>
      typeof result === 'string' ? [] : { campaignId, ...result },
    ),
  };
}

const TAKEN_BACK = 'SmartPause was turned on or off for it after that, so it stays paused.';

type Result = 'done' | 'pending' | { code: string; message: string };

function resultOf({ failure, message, manual, hold }: FollowedPart): Result {
  const failed = (code: NonNullable<FollowedPart['failure']>, why: string | null): Result => ({
    code,
    message: why ?? API_ERRORS[code].message,
  });
  if (failure !== null) return failed(failure, message);
  if (manual !== null) {
    if (manual.endedAt === null) return 'pending';
    const why = manual.refusal === null ? null : `${refusedChange(manual.refusal)}.`;
    return manual.failure === null ? 'done' : failed(manual.failure, why);
  }
  if (hold === null || hold.outcome === 'resumed' || hold.outcome === 'not_needed') return 'done';
  const { releaseReason: reason, isOwn } = hold;
  // Meta's words to another user are theirs.
  const refusal = isOwn ? hold.refusal : null;
  if (reason === null && !hold.isAsked) return failed('CAMPAIGN_ACTION_FAILED', TAKEN_BACK);
  if (reason === null && hold.refusal === null) return 'pending';
  if (reason === null) {
    const words = refusal === null ? 'Meta refused the change' : refusedChange(refusal);
    return failed('CAMPAIGN_ACTION_FAILED', `${words}. ${RETRY_WORDS}.`);
  }
  const result = resultOfEnd(reason);
  if (result === 'resumed_by_user' || result === 'resumed_outside') return 'done';
  return failed('CAMPAIGN_ACTION_FAILED', asSentence(endLabel({ reason, refusal })));
}
