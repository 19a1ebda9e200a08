import { THRESHOLDS, meetsThreshold } from '#core/smartpause/level.ts';
import type { Instant } from '#core/time.ts';
import { minutes, seconds } from '#core/time.ts';
import { currentStatus } from '#core/smartpause/status.ts';
import type { PlatformGate } from '../platforms/meta/guarded-client.ts';
import { dropOrphanedAccounts } from '../db/campaigns.ts';
import type { Db } from '../db/database.ts';
import type { LaneClaim } from '../db/lanes.ts';
import { claimDueLanes, makeDue, nextClaimAt, releaseLanes, renewLeases, sweepLanes } from '../db/lanes.ts';
import { readStatus } from '../db/status/status.ts';
import { loadWorlds } from '../db/holds/worlds.ts';
import { createLedger } from './ledger.ts';
import { Pace } from './pace.ts';
import { inSpan } from '../observability/spans.ts';
import type { CallsOfTurn } from './places.ts';
import { Places, inPlaces } from './places.ts';
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

/** So many are claimed in one statement, again and again until so many wait, or half of what can be called at a time. */
const CLAIMED_AT_ONCE = 50;
const CLAIMED_PER_CALL = 0.5;
const PROBES_AT_ONCE = 1;
/** What is due and yet cannot be claimed is locked for a moment, or held by ourselves. */
const LEAST_WAIT_MS = 10;
/** While some turns write to the database, others call the platform; a slow database gets no more than so many. */
const TURNS_PER_CALL = 2.5;
/** A good part of the ten seconds that a process has to end. */
const CLOSING_MS = seconds(5);

export interface EngineDeps extends Omit<TurnDeps, 'ledger'> {
  db: Db;
  /** Names this process in leases. */
  owner: string;
  /** How many calls may be under way at the platform. */
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
  /** So much is worked on that whatever can wait had better wait. */
  isHurried(): boolean;
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
  const ahead = Math.max(CLAIMED_AT_ONCE, Math.ceil(deps.concurrency * CLAIMED_PER_CALL));
  const queue: Turn[] = [];
  const pace = new Pace();
  let busy = 0;
  const cancels = new Map<string, () => void>();
  let claiming: Promise<void> | null = null;
  let woken = false;
  let closed = false;
  let whenIdle: (() => void) | null = null;

  const later = (name: string, ms: number, run: () => void): void => {
    cancels.get(name)?.();
    if (!closed) cancels.set(name, deps.clock.after(ms, run));
  };

  const begin = (): void => {
    const before = queue.length;
    while (!closed && busy < deps.concurrency * TURNS_PER_CALL) {
      const calls = queue.length === 0 ? null : places.begin();
      const turn = calls === null ? undefined : queue.shift();
      if (turn === undefined || calls === null) break;
      busy += 1;
      void work(turn, calls);
    }
    if (queue.length < before) claim();
  };
  const start = (): void => {
    begin();
    if (!closed && queue.length < ahead) claim();
    if (closed && busy === 0) whenIdle?.();
  };
  const places = new Places(deps.concurrency, deps.clock, begin);

  const work = async (turn: Turn, calls: CallsOfTurn): Promise<void> => {
    try {
      const platform = inPlaces(deps.platform, calls, () => pace.wroteAt(deps.clock.now()));
      const finish = await inSpan('turn', { attributes: { account: turn.claim.accountId } }, () =>
        takeTurn({ ...turnDeps, platform }, turn).finally(() => calls.end()),
      );
      await turnDeps.ledger.finish(finish).catch(async (error: unknown) => {
        // What came of the calls does not depend on the list, or on the lane.
        if (finish.outcome !== null) await turnDeps.ledger.settle(finish.outcome);
        throw error;
      });
      // Whoever was leaving may have gone while this was written.
      if (turn.worlds.some(({ person }) => person.leaving !== null)) {
        await dropOrphanedAccounts(deps.db, turn.claim.accountId);
      }
    } catch (error) {
      deps.log.error({ account: turn.claim.accountId, err: error }, 'a turn failed; its lease will run out');
    } finally {
      const { accountId, leaseNo } = turn.claim;
      if (held.get(accountId)?.leaseNo === leaseNo) held.delete(accountId);
      busy -= 1;
      start();
    }
  };

  const claim = (): void => {
    if (claiming !== null) {
      woken = true;
      return;
    }
    // What is claimed nobody else works on: who has enough before them claims when it has become less.
    if (queue.length >= ahead) return;
    woken = false;
    claiming = claimAndWait().then((waitMs) => {
      claiming = null;
      if (closed) return;
      if (woken || waitMs <= 0) claim();
      else later('claim', Math.max(waitMs, 1), claim);
    });
  };

  /** How long to wait before the next claim. Never fails: a database that is away for a moment comes back. */
  const claimAndWait = async (): Promise<number> => {
    try {
      // Lanes that could not be worked on stay where they are, due, and go on together when the platform is back.
      const holdOffMs = deps.gate.holdOffMs();
      if (holdOffMs > 0) return Math.min(holdOffMs, deps.timings.pollMs);
      const most = deps.gate.isOpen() ? PROBES_AT_ONCE : CLAIMED_AT_ONCE;
      const claimed = await claimChunk(most);
      if (claimed > 0) start();
      return claimed === CLAIMED_AT_ONCE ? 0 : await nextLook();
    } catch (error) {
      deps.log.error({ err: error }, 'lanes could not be claimed');
      return deps.timings.pollMs;
    }
  };

  const claimChunk = async (most: number): Promise<number> => {
    const now = deps.clock.now();
    const lease = { owner: deps.owner, until: now + deps.timings.leaseMs };
    // All of it in one session: it waits for a connection once.
    return deps.db.connection().execute(async (db) => {
      const claims = await claimDueLanes(db, { limit: most, held: [...held.keys()] }, lease, now);
      if (claims.length === 0) return 0;
      for (const one of claims) held.set(one.accountId, one);
      try {
        const accountIds = claims.map((one) => one.accountId);
        const row = await readStatus(db);
        const worlds = await loadWorlds(db, accountIds);
        const status = currentStatus(row, deps.clock.now(), deps.staleMs);
        queue.push(...claims.map((one) => ({ claim: one, status, worlds: worlds.get(one.accountId) ?? [] })));
      } catch (error) {
        for (const one of claims) held.delete(one.accountId);
        throw error;
      }
      return claims.length;
    });
  };

  const nextLook = async (): Promise<number> => {
    const at = await nextClaimAt(deps.db);
    const waitMs = at === null ? deps.timings.pollMs : at - deps.clock.now();
    return Math.min(Math.max(waitMs, LEAST_WAIT_MS), deps.timings.pollMs);
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
    isHurried: () => pace.isHurried(deps.clock.now()),
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
      places.close();
      // Nobody will be there for the answers to what hangs: whoever looks next finds those writes in doubt.
      await giveBack(deps, [...held.values()]);
    },
  };
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
