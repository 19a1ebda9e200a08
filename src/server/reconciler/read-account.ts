import type { PlatformFailure } from '#core/platform.ts';
import { describeFailure, mayBeTheToken } from '#core/platform.ts';
import type { ChangeLog, StatusChange } from '#core/reconciler/change-log.ts';
import { byOurClock } from '#core/reconciler/change-log.ts';
import { READ_LAG_MS } from '#core/reconciler/hold.ts';
import type { EndedReads } from '#core/reconciler/missing-campaigns.ts';
import { idsToReadById, lookForAnswers } from '#core/reconciler/missing-campaigns.ts';
import { hasEnded } from '#core/campaign.ts';
import type { LiveCampaign } from '#core/reconciler/world.ts';
import { toLive } from '#core/reconciler/world.ts';
import { needsReading } from '#core/reconciler/plan-account.ts';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';
import { findEndedReads, findUnanswered } from '../db/campaigns.ts';
import { suspectTokens } from '../db/users/tokens.ts';
import type { FoundCampaign } from '../platforms/platform.ts';
import { noteAccess } from './access.ts';
import type { Pass, ReconcileDeps } from './pass.ts';
import { accessOf, noteFailure, worldOf } from './pass.ts';

/** Accuracy to which the platform's clock is known. */
const CLOCKS_MS = seconds(60);
/** After this many failures, the reconciler continues without the log, which may be unavailable for long. */
const MAX_LOG_FAILURES = 3;
const WORTH_WAITING: readonly PlatformFailure['kind'][] = [
  ...(['transient', 'rate_limited', 'token_invalid', 'app_limited', 'app_blocked'] as const),
];

/** Reads the ad account with the first token that Meta accepts there. */
export async function readAccount(deps: ReconcileDeps, pass: Pass): Promise<void> {
  const { clock } = deps;
  if (!needsReading(worldOf(pass, clock.now(), { tries: true }), clock.now())) return;
  let failure: PlatformFailure | null = null;
  for (const userId of readersOf(pass)) {
    const readAt = clock.now();
    const read = await readBy(deps, pass, { token: pass.tokens.get(userId) ?? '', readAt });
    pass.usage = read.usage ?? pass.usage;
    if (read.ok) {
      const { campaigns, names } = read;
      await noteAccess(deps, pass, { userId, access: 'full' });
      const list = { accountId: pass.claim.accountId, readAt, ...read.list };
      const lookAt = read.lookAt ?? pass.lookAt;
      Object.assign(pass, { campaigns, readBy: userId, readAt, names, list, lookAt });
      return;
    }
    failure = read.failure;
    await noteRefusal(deps, pass, { userId, failure });
    if (!isOfThisUser(failure)) break;
  }
  if (failure !== null) noteFailure(pass, failure, clock.now());
}

/** Users who lost access are asked again, and first, if they hold a campaign here, or if there is no other user. */
function readersOf(pass: Pass): string[] {
  const { stored, tokens } = pass;
  const holders = new Set([...stored.holds.values()].map(({ userId }) => userId));
  const able = stored.users.filter(({ user }) => tokens.has(user.id));
  const [lost = [], allowed = []] = ['lost', 'full'].map((access) =>
    able.filter((one) => accessOf(pass, one) === access),
  );
  const asked = lost.filter(({ user }) => holders.has(user.id) || allowed.length === 0);
  return [...asked, ...allowed].map(({ user }) => user.id);
}

/** Another user may be able to read it: also after a block that has not stopped the app. */
function isOfThisUser(failure: PlatformFailure): boolean {
  const mayBeBlockedAlone = failure.kind === 'app_blocked' && failure.nextProbeInMs === undefined;
  return mayBeBlockedAlone || isOutOfReach(failure) || mayBeTheToken(failure, 'account');
}

function isOutOfReach({ kind }: PlatformFailure): boolean {
  return kind === 'permission' || kind === 'gone' || kind === 'rejected';
}

async function noteRefusal(
  deps: ReconcileDeps,
  pass: Pass,
  { userId, failure }: { userId: string; failure: PlatformFailure },
): Promise<void> {
  logFailure(deps, pass, failure, 'the campaigns could not be read');
  if (mayBeTheToken(failure, 'account')) await suspectTokens(deps.db, [userId], deps.clock.now());
  if (!isOutOfReach(failure)) return;
  await noteAccess(deps, pass, { userId, access: failure.kind === 'rejected' ? 'none' : 'lost' });
}

/** The account's list, and by id what the plan needs and the list lacks. */
async function readBy(
  deps: ReconcileDeps,
  pass: Pass,
  { token, readAt }: { token: string; readAt: Instant },
) {
  const { platform } = deps;
  const { accountId } = pass.claim;
  const list = await platform.listCampaigns(token, accountId);
  if (!list.ok) return list;
  const ids = await missingIds(deps, pass, new Set(list.value.map(({ id }) => id)));
  const byId = ids.length === 0 ? null : await platform.readCampaigns(token, accountId, ids);
  // The token has just read the list: without an answer these campaigns are not part of the plan.
  if (byId?.ok === false && byId.failure.kind !== 'rejected') return byId;
  const answers = byId?.ok === true ? [...byId.value] : [];
  // A batch may cut off some of its answers.
  const cutOff = byId?.ok === true ? ids.filter((id) => !byId.value.has(id)) : [];
  const unanswered = await unansweredSince(deps, pass, { ids: cutOff, readAt });
  const found = answers.flatMap(([, one]) => (one === 'AWAY' ? [] : one));
  const known = [...list.value, ...found];
  return {
    ok: true as const,
    campaigns: [...known.flatMap(toLive), ...answers.flatMap(toAway)],
    names: new Map(known.map(({ id, name }) => [id, name])),
    list: {
      ...{ campaigns: list.value, isPartial: list.isPartial },
      found: found.filter(({ status }) => status === 'ACTIVE' || status === 'PAUSED'),
      ended: found.filter(({ status }) => hasEnded(status)).map(({ id }) => id),
      away: answers.flatMap(toAway).map(({ id }) => id),
      ...(unanswered.size > 0 && { unanswered }),
    },
    lookAt: lookForAnswers(unanswered, readAt),
    usage: byId?.usage ?? list.usage,
  };
}

async function unansweredSince(
  { db }: ReconcileDeps,
  { claim }: Pass,
  { ids, readAt }: { ids: readonly string[]; readAt: Instant },
): Promise<ReadonlyMap<string, Instant>> {
  if (ids.length === 0) return new Map();
  const noted = await findUnanswered(db, claim.accountId);
  return new Map(ids.map((id) => [id, noted.get(id) ?? readAt]));
}

function toAway([id, found]: [string, FoundCampaign]): LiveCampaign[] {
  return found === 'AWAY' ? [{ id, status: found, dailyBudget: null }] : [];
}

async function missingIds(
  { db }: ReconcileDeps,
  { stored }: Pass,
  listed: ReadonlySet<string>,
): Promise<string[]> {
  const on = stored.users.flatMap(({ settings }) =>
    [...settings].flatMap(([id, { setting }]) => (setting === 'ON' ? id : [])),
  );
  const wishes = { listed, on, owed: [...stored.holds.keys(), ...stored.writes.keys()] };
  const lacking = idsToReadById({ ...wishes, ended: new Map<string, EndedReads>() });
  if (lacking.length === 0) return [];
  return idsToReadById({ ...wishes, ended: await findEndedReads(db, lacking) });
}

/** Asks once who changed the campaigns. After a failure the decisions that need the log wait for the next pass. */
export async function readChangeLog(deps: ReconcileDeps, pass: Pass): Promise<void> {
  const { claim, readBy: userId } = pass;
  const aheadMs = deps.platform.aheadMs();
  const answer = await deps.platform.readStatusChanges(
    pass.tokens.get(userId ?? '') ?? '',
    claim.accountId,
    sinceWhen(pass) + aheadMs - CLOCKS_MS - READ_LAG_MS,
  );
  pass.usage = answer.usage ?? pass.usage;
  if (answer.ok) {
    const changes = Map.groupBy(answer.value, ({ campaignId }) => campaignId);
    pass.logOf = (id: string): StatusChange[] => byOurClock(changes.get(id) ?? [], aheadMs);
    return;
  }
  const { failure } = answer;
  if (WORTH_WAITING.includes(failure.kind) && claim.failures < MAX_LOG_FAILURES) {
    logFailure(deps, pass, failure, 'the activity log could not be read');
    noteFailure(pass, failure, deps.clock.now());
    return;
  }
  deps.log.info({ account: claim.accountId, failure: failure.kind }, 'reconciling without the activity log');
  pass.logOf = (): ChangeLog => 'unreadable';
}

/** From the earliest hold or unsettled write on, whose read may have been behind: more may be due when the log is read. */
function sinceWhen({ stored, readAt }: Pass): Instant {
  const writes = [...stored.writes.values()];
  return Math.min(
    readAt,
    ...[...stored.holds.values()].map((hold) => hold.readAt),
    ...writes.map(({ firstSentAt }) => firstSentAt ?? readAt),
    ...writes.filter(({ state }) => state === 'open').map(({ requestedAt }) => requestedAt),
  );
}

/** An open circuit breaker is logged once, not for each ad account. */
function logFailure({ log }: ReconcileDeps, { claim }: Pass, failure: PlatformFailure, what: string): void {
  const level = failure.nextProbeInMs === undefined ? 'warn' : 'debug';
  log[level]({ account: claim.accountId, failure: describeFailure(failure) }, what);
}
