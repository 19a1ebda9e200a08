import { THRESHOLDS, meetsThreshold } from '#core/smartpause/level.ts';
import type { Instant } from '#core/time.ts';
import { minutes, seconds } from '#core/time.ts';
import { currentStatus } from '#core/smartpause/status.ts';
import type { PlatformGate } from '../adapters/meta/guarded-client.ts';
import { dropOrphanedAccounts } from '../db/campaigns.ts';
import type { Db } from '../db/database.ts';
import type { LaneClaim } from '../db/lanes.ts';
import { claimDueLanes, makeDue, nextClaimAt, releaseLanes, renewLeases, sweepLanes } from '../db/lanes.ts';
import { readStatus } from '../db/status.ts';
import { loadWorlds } from '../db/worlds.ts';
import { createLedger } from './ledger.ts';
import type { Turn, TurnDeps } from './turn.ts';
import { takeTurn } from './turn.ts';

export interface EngineTimings {
  /** How long a lane belongs to a process that does not renew: after that others take it for dead. */
  leaseMs: number;
  /** How often to ask for lanes that another process has made due. */
  pollMs: number;
  sweepMs: number;
}

export const ENGINE_TIMINGS: EngineTimings = {
  leaseMs: seconds(30),
  pollMs: seconds(1),
  sweepMs: minutes(1),
};

const CLAIM_CHUNK = 50;
const PROBES_AT_ONCE = 1;
/** A good part of the ten seconds that a process has to end. */
const CLOSING_MS = seconds(5);

export interface EngineDeps extends Omit<TurnDeps, 'ledger'> {
  db: Db;
  /** Names this process in leases. */
  owner: string;
  concurrency: number;
  timings: EngineTimings;
  /** A status that nobody has read for this long counts as UNKNOWN. */
  staleMs: number;
  /** Whether the platform is worth asking. */
  gate: Pick<PlatformGate, 'isOpen' | 'holdOffMs'>;
}

export interface Engine {
  /** Look now: something was written that could matter. */
  wake(): void;
  /** Takes no new work, and waits a while for what is on the way. Every lane is then somebody else's at once. */
  close(): Promise<void>;
}

/**
 * Works on due lanes: claims a chunk ahead, works on many accounts at a time and on each account alone.
 * Whatever goes wrong in a turn, the lane's lease ends and somebody takes it up again.
 */
export function startEngine(deps: EngineDeps): Engine {
  const turnDeps: TurnDeps = { ...deps, ledger: createLedger(deps.db, deps) };
  const held = new Map<string, LaneClaim>();
  const queue: Turn[] = [];
  const busy = new Set<string>();
  const cancels = new Map<string, () => void>();
  let claiming: Promise<void> | null = null;
  let woken = false;
  let closed = false;
  let whenIdle: (() => void) | null = null;

  const later = (name: string, ms: number, run: () => void): void => {
    cancels.get(name)?.();
    if (!closed) cancels.set(name, deps.clock.after(ms, run));
  };

  const start = (): void => {
    while (busy.size < deps.concurrency) {
      const turn = nextTurn(queue, busy);
      if (turn === null) break;
      busy.add(turn.claim.accountId);
      void work(turn);
    }
    if (!closed && queue.length < CLAIM_CHUNK) claim();
    if (closed && busy.size === 0) whenIdle?.();
  };

  const work = async (turn: Turn): Promise<void> => {
    try {
      await turnDeps.ledger.finish(await takeTurn(turnDeps, turn));
      // Whoever was leaving may have gone while this was written.
      if (turn.worlds.some(({ person }) => person.leaving !== null)) {
        await dropOrphanedAccounts(deps.db, turn.claim.accountId);
      }
    } catch (error) {
      deps.log.error({ account: turn.claim.accountId, err: error }, 'a turn failed; its lease will run out');
    } finally {
      const { accountId, leaseNo } = turn.claim;
      if (held.get(accountId)?.leaseNo === leaseNo) held.delete(accountId);
      busy.delete(accountId);
      start();
    }
  };

  const claim = (): void => {
    if (claiming !== null) {
      woken = true;
      return;
    }
    woken = false;
    claiming = claimAndWait().then((waitMs) => {
      claiming = null;
      if (closed) return;
      if (woken || (waitMs <= 0 && queue.length < CLAIM_CHUNK)) claim();
      else later('claim', Math.max(waitMs, 1), claim);
    });
  };

  /** How long to wait before the next claim. Never fails: a database that is away for a moment comes back. */
  const claimAndWait = async (): Promise<number> => {
    try {
      // Lanes that could not be worked on stay where they are, due, and go on together when the platform is back.
      const holdOffMs = deps.gate.holdOffMs();
      if (holdOffMs > 0) return Math.min(holdOffMs, deps.timings.pollMs);
      const most = deps.gate.isOpen() ? PROBES_AT_ONCE : CLAIM_CHUNK;
      return (await claimChunk(most)) === CLAIM_CHUNK ? 0 : await nextLook();
    } catch (error) {
      deps.log.error({ err: error }, 'lanes could not be claimed');
      return deps.timings.pollMs;
    }
  };

  const claimChunk = async (most: number): Promise<number> => {
    const now = deps.clock.now();
    const lease = { owner: deps.owner, until: now + deps.timings.leaseMs };
    const claims = await claimDueLanes(deps.db, most, lease, now);
    if (claims.length === 0) return 0;
    for (const one of claims) held.set(one.accountId, one);
    try {
      const status = currentStatus(await readStatus(deps.db), deps.clock.now(), deps.staleMs);
      const worlds = await loadWorlds(
        deps.db,
        claims.map((one) => one.accountId),
      );
      queue.push(...claims.map((one) => ({ claim: one, status, worlds: worlds.get(one.accountId) ?? [] })));
    } catch (error) {
      for (const one of claims) held.delete(one.accountId);
      throw error;
    }
    start();
    return claims.length;
  };

  const nextLook = async (): Promise<number> => {
    const at = await nextClaimAt(deps.db);
    const waitMs = at === null ? deps.timings.pollMs : at - deps.clock.now();
    return Math.min(Math.max(waitMs, 1), deps.timings.pollMs);
  };

  const renew = (): void => {
    const until: Instant = deps.clock.now() + deps.timings.leaseMs;
    renewLeases(deps.db, [...held.values()], until)
      .catch((error: unknown) => deps.log.error({ err: error }, 'leases could not be renewed'))
      .finally(() => later('renew', deps.timings.leaseMs / 3, renew));
  };

  const sweep = (): void => {
    sweepOnce(deps)
      .then((healed) => {
        if (healed > 0)
          deps.log.warn({ accounts: healed }, 'the sweep found accounts nobody was going to look at');
        if (healed > 0) claim();
      })
      .catch((error: unknown) => deps.log.error({ err: error }, 'the sweep failed'))
      .finally(() => later('sweep', deps.timings.sweepMs, sweep));
  };

  claim();
  later('renew', deps.timings.leaseMs / 3, renew);
  sweep();

  return {
    wake: claim,
    async close() {
      closed = true;
      for (const cancel of cancels.values()) cancel();
      const patience = new Promise<void>((resolve) => deps.clock.after(CLOSING_MS, resolve));
      await Promise.race([claiming, patience]);
      const waiting = queue.splice(0).map((turn) => turn.claim);
      for (const { accountId } of waiting) held.delete(accountId);
      await giveBack(deps, waiting);
      const idle = new Promise<void>((resolve) => (whenIdle = resolve));
      start();
      await Promise.race([idle, patience]);
      // Nobody will be there for the answers to what hangs: whoever looks next finds those writes in doubt.
      await giveBack(deps, [...held.values()]);
    },
  };
}

/**
 * The next turn whose account is not being worked on. When the clock jumps, a lease can run out while its holder is
 * still at it, and the account be claimed again: even then it is worked on once at a time.
 */
function nextTurn(queue: Turn[], busy: ReadonlySet<string>): Turn | null {
  const index = queue.findIndex(({ claim }) => !busy.has(claim.accountId));
  return index === -1 ? null : (queue.splice(index, 1)[0] ?? null);
}

async function sweepOnce(deps: EngineDeps): Promise<number> {
  const status = await readStatus(deps.db);
  const matched = THRESHOLDS.filter((threshold) => meetsThreshold(status.known, threshold));
  return sweepLanes(deps.db, matched, deps.clock.now());
}

/** Lanes go back as due, so that the next process need not wait for the lease. */
async function giveBack(deps: EngineDeps, claims: readonly LaneClaim[]): Promise<void> {
  if (claims.length === 0) return;
  const now = deps.clock.now();
  await releaseLanes(
    deps.db,
    claims.map((claim) => ({
      ...claim,
      lookAt: now,
      lastError: null,
      blockedUntil: null,
    })),
  );
  await makeDue(
    deps.db,
    claims.map(({ accountId }) => accountId),
    now,
  );
}
