import type { RefusalCode } from '#contract/errors.ts';
import { Refusal } from '#contract/errors.ts';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';
import type { Usage } from '#core/platform-usage.ts';
import { afterFailure } from '../../platforms/meta/after-failure.ts';
import type { PlatformFailure } from '../../platforms/meta/errors.ts';
import type { OwnClaim } from '../../db/lanes.ts';
import { claimLane, releaseLanes } from '../../db/lanes.ts';
import type { OperationDeps } from '../deps.ts';
import { waitUntil } from './wait-until.ts';

const WAIT_MS = seconds(10);
/** Longer than the calls of one act can take with their timeouts. */
const LEASE_MS = seconds(60);

/** What came of an act, and what the platform said of the account's limits along the way. */
export interface Acted {
  /** Null: it is done. */
  refused: RefusalCode | null;
  failure?: PlatformFailure | undefined;
  usage: Usage | null;
}

/**
 * Does one act of a person in an ad account, alone: the engine's work there comes before or after it. A limit that it
 * meets counts for everybody from then on.
 */
export async function withLane(
  deps: OperationDeps,
  accountId: string,
  act: () => Promise<Acted>,
): Promise<void> {
  const { claim, lookAt, ...before } = await claimPatiently(deps, accountId);
  let { blockedUntil } = before;
  let usage: Usage | null = null;
  try {
    if (blockedUntil !== null) {
      throw new Refusal(
        'CAMPAIGN_ACTION_FAILED',
        "Meta's limit for this ad account is used up. Try again in a few minutes.",
      );
    }
    const done = await act();
    usage = done.usage;
    if (done.failure !== undefined) blockedUntil = blockOf(deps, done.failure, usage ?? claim.usage);
    if (done.refused !== null) throw new Refusal(done.refused);
  } finally {
    await releaseLanes(deps.db, [{ ...claim, lookAt, blockedUntil, lastError: null, usage }]);
    deps.wake();
  }
}

/** Until when the account must be left alone after this failure; null: it need not. */
function blockOf(deps: OperationDeps, failure: PlatformFailure, usage: Usage | null): Instant | null {
  const now = deps.clock.now();
  return afterFailure(failure, { failures: 1, usage, roll: 0, now }).blockedUntil;
}

async function claimPatiently(deps: OperationDeps, accountId: string): Promise<OwnClaim> {
  const claims: OwnClaim[] = [];
  await waitUntil(async () => {
    const now = deps.clock.now();
    const own = await claimLane(deps.db, accountId, { owner: deps.owner, until: now + LEASE_MS }, now);
    if (own !== null) claims.push(own);
    return own !== null;
  }, WAIT_MS);
  const [own] = claims;
  if (own === undefined) throw new Refusal('CAMPAIGN_BUSY');
  return own;
}
