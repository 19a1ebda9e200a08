import { Refusal } from '#contract/errors.ts';
import { seconds } from '#core/time.ts';
import type { Usage } from '#core/platform-usage.ts';
import type { OwnClaim } from '../db/lanes.ts';
import { claimLane, releaseLanes } from '../db/lanes.ts';
import type { OperationDeps } from './deps.ts';
import { waitUntil } from './wait-until.ts';

const WAIT_MS = seconds(10);
/** Longer than the calls of one act can take with their timeouts. */
const LEASE_MS = seconds(60);

/**
 * Does one act of a person in an ad account, alone: the engine's work there comes before or after it.
 * The act says what the platform told of the account's limits.
 */
export async function withLane<T>(
  deps: OperationDeps,
  accountId: string,
  act: () => Promise<{ value: T; usage: Usage | null }>,
): Promise<T> {
  const { claim, lookAt, blockedUntil } = await claimPatiently(deps, accountId);
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
    return done.value;
  } finally {
    await releaseLanes(deps.db, [{ ...claim, lookAt, blockedUntil, lastError: null, usage }]);
    deps.wake();
  }
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
