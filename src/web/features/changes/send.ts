import { API_ERRORS } from '#contract/errors.ts';
import type { Campaign, CampaignChange } from '#contract/shapes.ts';
import { userApi } from '#contract/user-api.ts';
import { seconds } from '#core/time.ts';
import { CallError, call, errorMessage, hasCode } from '../../lib/api-client.ts';
import type { Action, Target } from './actions.ts';
import type { Outcome } from './outcome.ts';

/** @param count the changed campaigns so far */
type OnProgress = (count: number) => void;
type Targets = readonly Target[];

/** A change ends even if the call is never answered. */
const LIMIT_MS = seconds(30);
const POLL_MS = seconds(1);

/** One request for all, which the server carries out whatever happens to this page. */
export async function sendAsOne(action: Action, targets: Targets, onProgress: OnProgress): Promise<Outcome> {
  const body = { action, campaignIds: targets.map(({ campaign }) => campaign.id) };
  try {
    const change = await call(userApi.createCampaignChange, { body, signal: AbortSignal.timeout(LIMIT_MS) });
    // The row of a single campaign shows what Meta has not confirmed yet.
    const last = targets.length > 1 ? await followChange(change, onProgress) : change;
    return outcomeOf(action, targets, last);
  } catch (error) {
    return { ...untried(), failed: targets.map((target) => failureOf(target, error)) };
  }
}

const readChange = ({ id }: CampaignChange) => call(userApi.campaignChange, { params: { id } });

/** @returns the change when it has ended, or as it was last seen, if the server no longer shows it: it goes on without the page. */
export async function followChange(
  started: CampaignChange,
  onProgress: OnProgress,
  read: typeof readChange = readChange,
): Promise<CampaignChange> {
  let change = started;
  while (change.endedAt === null) {
    onProgress(change.done.length);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const next = await read(change).catch((error: unknown) => (isFinal(error) ? null : change));
    if (next === null) break;
    change = next;
  }
  return change;
}

function isFinal(error: unknown): boolean {
  return error instanceof CallError && error.status < 500 && error.status !== 429;
}

/** @param change as the server has carried it out so far */
export function outcomeOf(
  action: Action,
  targets: Targets,
  change: Pick<CampaignChange, 'done' | 'failed'>,
): Outcome {
  const failures = new Map(change.failed.map((one) => [one.campaignId, one]));
  const ended = new Set([...change.done, ...failures.keys()]);
  const done = targets.filter(({ campaign }) => ended.has(campaign.id) && !failures.has(campaign.id));
  const unconfirmed = targets.filter(({ campaign }) => !ended.has(campaign.id));
  const failed = targets.flatMap((target) => {
    const failure = failures.get(target.campaign.id);
    if (failure === undefined) return [];
    return { target, reason: failure.message, isLocked: failure.code === 'SMARTPAUSE_ACTIVE' };
  });
  const changed = new Map([
    ...done.map(({ campaign }) => [campaign.id, CHANGED[action]] as const),
    ...unconfirmed.map(({ campaign }) => [campaign.id, WAITING[action]] as const),
    // It was turned off: then the refusal is of the resume.
    ...change.failed.flatMap(({ campaignId: id, code }) =>
      action === 'off_and_resume' && code !== 'CAMPAIGN_NOT_FOUND' ? [[id, WAITING[action]] as const] : [],
    ),
  ]);
  return { done, unconfirmed, failed, left: [], changed };
}

const RESUMED = { status: 'ACTIVE', held: false, pendingStatus: undefined, notResumed: undefined } as const;

/** The fields that a finished change sets; the list that is read next has the others. */
const CHANGED: Record<Action, Partial<Campaign>> = {
  on: { smartPauseSetting: 'ON' },
  off: { smartPauseSetting: 'OFF' },
  off_and_resume: { smartPauseSetting: 'OFF' },
  pause: { status: 'PAUSED', pendingStatus: undefined },
  resume: { status: 'ACTIVE', pendingStatus: undefined },
  resume_now: RESUMED,
};

const WAITING: Record<Action, Partial<Campaign>> = {
  on: {},
  off: {},
  off_and_resume: { smartPauseSetting: 'OFF' },
  pause: { pendingStatus: 'PAUSED' },
  resume: { pendingStatus: 'ACTIVE' },
  resume_now: { pendingStatus: 'ACTIVE' },
};

/** The calls of the specification, one campaign after another. A failure that applies to all ends it. */
export async function sendSingly(
  action: Action,
  targets: Targets,
  onProgress: OnProgress,
  send: typeof sendOne = sendOne,
): Promise<Outcome> {
  const outcome = untried();
  for (const [index, target] of targets.entries()) {
    onProgress(outcome.done.length);
    const changed: Partial<Campaign> = {};
    outcome.changed.set(target.campaign.id, changed);
    try {
      for (const call of callsOf(action, target)) Object.assign(changed, await send(call, target));
      (changed.pendingStatus === undefined ? outcome.done : outcome.unconfirmed).push(target);
    } catch (error) {
      outcome.failed.push(failureOf(target, error));
      if (!appliesToAll(error)) continue;
      outcome.left = targets.slice(index + 1);
      break;
    }
  }
  return outcome;
}

/** Only what may be held is resumed. */
function callsOf(action: Action, { campaign }: Target): Action[] {
  if (action !== 'off_and_resume') return [action];
  return campaign.held === false ? ['off'] : ['off', 'resume'];
}

/** @returns the changed fields; `pendingStatus`: Meta has not confirmed it yet */
async function sendOne(action: Action, { account, campaign }: Target): Promise<Partial<Campaign>> {
  const signal = AbortSignal.timeout(LIMIT_MS);
  if (action === 'on' || action === 'off') {
    const params = { adAccountId: account.id, campaignId: campaign.id };
    const answer = await call(userApi.setSmartPause, { params, body: { enabled: action === 'on' }, signal });
    return { smartPauseSetting: answer.smartPauseSetting ?? (action === 'on' ? 'ON' : 'OFF') };
  }
  const endpoint = action === 'pause' ? userApi.pauseCampaign : userApi.resumeCampaign;
  const { status, pending } = await call(endpoint, { params: { id: campaign.id }, signal });
  if (pending === true) return { pendingStatus: status === 'PAUSED' ? 'PAUSED' : 'ACTIVE' };
  return { status, pendingStatus: undefined };
}

function untried(): Outcome {
  return { done: [], unconfirmed: [], failed: [], left: [], changed: new Map() };
}

function failureOf(target: Target, error: unknown): Outcome['failed'][number] {
  const reason =
    error instanceof CallError
      ? errorMessage(API_ERRORS.SERVER_ERROR.message, error)
      : 'SmartPause didn’t respond. It may still do it.';
  return { target, reason, isLocked: hasCode(error, 'SMARTPAUSE_ACTIVE') };
}

function appliesToAll(error: unknown): boolean {
  if (!(error instanceof CallError)) return true;
  // The role is that of one ad account.
  if (hasCode(error, 'ROLE_CANNOT_PAUSE')) return false;
  return [401, 403, 429].includes(error.status) || hasCode(error, 'TOKEN_EXPIRED');
}
