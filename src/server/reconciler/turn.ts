import { allowanceGoesOnAt, allowanceReturnsAt, writesAllowed } from '#core/platform-usage.ts';
import type { Usage } from '#core/platform-usage.ts';
import { needsReading, plan } from '#core/smartpause/plan.ts';
import type { Change, LiveCampaign, Plan } from '#core/smartpause/plan.ts';
import type { Instant } from '#core/time.ts';
import { earliest } from '#core/time.ts';
import type { PlatformCampaign } from '#core/platform.ts';
import { describeFailure } from '../platforms/meta/errors.ts';
import type { PlatformFailure } from '../platforms/meta/errors.ts';
import type { LaneClaim } from '../db/lanes.ts';
import type { StatusRow } from '../db/status/status.ts';
import { tokenContext } from '../db/users/tokens.ts';
import type { StoredWorld } from '../db/holds/worlds.ts';
import type { Log } from '../observability/log.ts';
import type { Vault } from '../secrets.ts';
import { afterFailure } from '../platforms/meta/after-failure.ts';
import type { CarryOutDeps, Errand } from './carry-out.ts';
import { carryOut, firstBatch, isOutOfReach } from './carry-out.ts';
import type { Finish } from './ledger.ts';
import { planMindingHands } from './look-for-hands.ts';
import { toLive, toWorld } from './world.ts';

export interface TurnDeps extends CarryOutDeps {
  vault: Vault;
  log: Log;
}

export interface Turn {
  claim: LaneClaim;
  status: StatusRow;
  worlds: readonly StoredWorld[];
}

/** What is known at the end of one person's part of a turn. */
interface Part {
  lookAt: Instant | null;
  blockedUntil: Instant | null;
  failed: boolean;
  /** Whether the platform would have answered is not known. */
  notAsked: boolean;
  /** Something was written: for others in the same account it may matter. */
  hasActed: boolean;
  lastError: string | null;
  usage: Usage | null;
  list: Finish['list'];
  /** Not written down yet. */
  outcome: Finish['outcome'];
}

/** One ad account, looked at once: read, plan, carry out, for everybody who has something in it. */
export async function takeTurn(deps: TurnDeps, turn: Turn): Promise<Finish> {
  let usage = turn.claim.usage;
  let list: Finish['list'] = null;
  let outcome: Finish['outcome'] = null;
  const parts: Part[] = [];
  for (const stored of turn.worlds) {
    // The next one's part may build on it.
    if (outcome !== null) await deps.ledger.settle(outcome);
    const part = await workFor(deps, { ...turn, claim: { ...turn.claim, usage } }, stored);
    usage = part.usage ?? usage;
    list = part.list ?? list;
    outcome = part.outcome;
    parts.push(part);
    if (part.blockedUntil !== null) break;
  }
  // What one of them held may be for another to hold now.
  const again = parts.length > 1 && parts.some((part) => part.hasActed) ? deps.clock.now() : null;
  const blocked = parts.map((part) => part.blockedUntil).filter((until) => until !== null);
  const blockedUntil = blocked.length === 0 ? null : Math.max(...blocked);
  return {
    list,
    outcome,
    release: {
      accountId: turn.claim.accountId,
      leaseNo: turn.claim.leaseNo,
      lookAt: blockedUntil ?? earliest([...parts.map((part) => part.lookAt), again]),
      failures: failuresAfter(turn.claim, parts),
      lastError: parts.map((part) => part.lastError).find((error) => error !== null) ?? null,
      blockedUntil,
      usage,
    },
  };
}

function failuresAfter({ failures }: LaneClaim, parts: readonly Part[]): number {
  if (parts.some((part) => part.failed)) return failures + 1;
  return parts.some((part) => part.notAsked) ? failures : 0;
}

const NOTHING: Part = {
  lookAt: null,
  blockedUntil: null,
  failed: false,
  notAsked: false,
  hasActed: false,
  lastError: null,
  usage: null,
  list: null,
  outcome: null,
};

async function workFor(deps: TurnDeps, turn: Turn, stored: StoredWorld): Promise<Part> {
  const token = openToken(deps, stored);
  const readAt = deps.clock.now();
  const world = toWorld(stored, turn.status, { campaigns: [], tokenUsable: token !== null, readAt }, readAt);
  const errand: Errand = {
    claim: turn.claim,
    stored,
    world,
    token,
    names: new Map(),
  };
  if (token === null || !needsReading(world)) {
    const { changes, lookAt } = plan(world, deps.clock.now());
    const done = await carryOut(deps, errand, changes);
    return {
      ...NOTHING,
      hasActed: done.hasActed,
      lookAt: done.void ? deps.clock.now() : earliest([lookAt, done.lookAt]),
      outcome: done.outcome,
    };
  }
  const read = await readLive(deps, errand, token);
  if (!read.ok) return await failedRead(deps, errand, { failure: read.failure, usage: read.usage });
  if (stored.isAccountLost) {
    await deps.ledger.noteAccess({ personId: stored.person.id, accountId: turn.claim.accountId }, false);
  }
  const names = new Map(read.listed.map(({ id, name }) => [id, name]));
  const seen: Errand = { ...errand, world: { ...world, campaigns: read.campaigns }, names };
  const list = { accountId: turn.claim.accountId, campaigns: read.listed, readAt };
  const looked = await planMindingHands(deps, seen, token);
  const usage = looked.usage ?? read.usage;
  if (looked.failure?.kind === 'rate_limited') {
    const failed = await failedRead(deps, errand, { failure: looked.failure, usage });
    return { ...failed, list };
  }
  const done = await act(deps, seen, { plan: looked.plan, usage });
  if (looked.failure === null) return { ...done, list };
  if (done.outcome !== null) await deps.ledger.settle(done.outcome);
  const failed = await failedRead(deps, errand, { failure: looked.failure, usage: done.usage });
  const blockedUntil = Math.max(failed.blockedUntil ?? 0, done.blockedUntil ?? 0) || null;
  const lookAt = earliest([failed.lookAt, done.lookAt]);
  return { ...failed, lookAt, blockedUntil, hasActed: done.hasActed, list };
}

/** Carries out batch after batch, as far as the account's allowance goes. */
async function act(
  deps: TurnDeps,
  errand: Errand,
  given: { plan: Plan; usage: Usage | null },
): Promise<Part> {
  const { changes, lookAt } = given.plan;
  const looks = [lookAt];
  let hasActed = false;
  let hasWritten = false;
  let known = given.usage ?? errand.claim.usage;
  let rest: Change[] = changes;
  for (;;) {
    const batch = firstBatch(rest, writesAllowed(known, deps.clock.now()));
    const done = await carryOut(deps, errand, batch.now);
    known = done.usage ?? known;
    hasActed ||= done.hasActed;
    hasWritten ||= done.hasWritten;
    looks.push(done.lookAt);
    rest = batch.later;
    const now = deps.clock.now();
    if (done.void || (rest.length > 0 && done.lastError !== null)) looks.push(now);
    else if (rest.length > 0 && known !== null && writesAllowed(known, now) === 0) {
      const left = new Set(rest.map(({ campaignId }) => campaignId)).size;
      // A look that costs more than what comes back till then would use it up for ever.
      looks.push(hasWritten ? allowanceGoesOnAt(known, now, left) : allowanceReturnsAt(known, now));
    } else if (rest.length > 0) {
      if (done.outcome !== null) await deps.ledger.settle(done.outcome);
      continue;
    }
    const { blockedUntil, lastError, outcome } = done;
    return { ...NOTHING, hasActed, lookAt: earliest(looks), blockedUntil, lastError, usage: known, outcome };
  }
}

type LiveRead =
  | { ok: true; listed: PlatformCampaign[]; campaigns: LiveCampaign[]; usage: Usage | null }
  | { ok: false; failure: PlatformFailure; usage: Usage | null };

/** The account's list, and by id whatever is held but no longer in it: archived, deleted, or out of our reach. */
async function readLive(deps: TurnDeps, errand: Errand, token: string): Promise<LiveRead> {
  const { accountId } = errand.claim;
  const list = await deps.platform.listCampaigns(token, accountId);
  if (!list.ok) return list;
  const campaigns = toLive(list.value);
  const listed = new Set(list.value.map(({ id }) => id));
  const missing = errand.stored.holds.map((hold) => hold.campaignId).filter((id) => !listed.has(id));
  if (missing.length === 0) return { ok: true, listed: list.value, campaigns, usage: list.usage };
  const byId = await deps.platform.readStatuses(token, accountId, missing);
  if (!byId.ok) return byId;
  const found = [...byId.value].map(([id, status]) => ({ id, status, dailyBudget: null }));
  return {
    ok: true,
    listed: list.value,
    campaigns: [...campaigns, ...found],
    usage: byId.usage ?? list.usage,
  };
}

async function failedRead(
  deps: TurnDeps,
  errand: Errand,
  read: { failure: PlatformFailure; usage: Usage | null },
): Promise<Part> {
  const lastError = describeFailure(read.failure);
  const after = afterFailure(read.failure, {
    failures: errand.claim.failures + 1,
    usage: read.usage ?? errand.claim.usage,
    roll: deps.roll(),
    now: deps.clock.now(),
  });
  // That the platform answers nobody is said once, and not for each ad account.
  const log = read.failure.askAgainMs === undefined ? 'warn' : 'debug';
  deps.log[log]({ account: errand.claim.accountId, failure: lastError }, 'the campaigns could not be read');
  if (after.tokenSuspected) {
    const suspectedToken = errand.stored.person.id;
    await deps.ledger.settle({ updates: [], written: [], activities: [], suspectedToken });
  }
  const { person } = errand.stored;
  if (read.failure.kind === 'permission' || read.failure.kind === 'gone') {
    const { accountId } = errand.claim;
    await deps.ledger.noteAccess({ personId: person.id, accountId }, true);
  }
  // Whoever is leaving, or has turned SmartPause off, cannot wait for access that may never come back.
  if (isOutOfReach(read.failure)) {
    const unreachable = { ...errand.world, owner: { ...errand.world.owner, tokenUsable: false } };
    const { outcome } = await carryOut(deps, errand, plan(unreachable, deps.clock.now()).changes);
    if (outcome !== null) await deps.ledger.settle(outcome);
  }
  const { retryAt, blockedUntil } = after;
  const notAsked = read.failure.askAgainMs !== undefined;
  const { usage } = read;
  return { ...NOTHING, lookAt: retryAt, blockedUntil, failed: !notAsked, notAsked, lastError, usage };
}

function openToken(deps: TurnDeps, stored: StoredWorld): string | null {
  if (stored.token === null) return null;
  const token = deps.vault.open(stored.token, tokenContext(stored.person.id));
  const { id: person } = stored.person;
  if (token === null)
    deps.log.error({ person, key: stored.token.keyId }, 'a platform token cannot be opened');
  return token;
}
