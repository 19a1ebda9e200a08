import { Refusal } from '#contract/errors.ts';
import { blocksDeletion, hasActiveSubscription } from '#core/billing/subscription.ts';
import type { Instant } from '#core/time.ts';
import { days, hours, seconds } from '#core/time.ts';
import { afterFailure } from '../../platforms/meta/after-failure.ts';
import { describeFailure } from '../../platforms/meta/errors.ts';
import { findSubscription } from '../../db/billing/subscriptions.ts';
import { dropOrphanedAccounts } from '../../db/campaigns.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/database.ts';
import { finishDeletionRequests } from '../../db/users/deletion-requests.ts';
import { countLiveHolds } from '../../db/holds/holds.ts';
import { recordActivities } from '../../db/journal.ts';
import { makeDueForPerson } from '../../db/lanes.ts';
import { addFarewell } from '../../db/mails.ts';
import type { Leaving, Person } from '../../db/users/people.ts';
import {
  deletePerson,
  findLeaving,
  findPerson,
  forgetAuthorization,
  lockPerson,
  markLeaving,
  postponeLeaving,
} from '../../db/users/people.ts';
import { retell } from '../../db/reports/told.ts';
import { findTokenToRevoke, suspectToken } from '../../db/users/tokens.ts';
import { wordFarewell } from '../../notifications/farewell.ts';
import { sealAllOf } from '../../notifications/seal.ts';
import { fingerprintsOfUser } from '../../secrets.ts';
import { readNow } from '../billing/billing.ts';
import { closeCheckouts } from '../billing/billing-checkout.ts';
import { deleteCustomer } from '../billing/billing-sync.ts';
import type { OperationDeps } from '../deps.ts';
import { isLoginDisrupted } from '../status.ts';
import { waitUntil } from '../campaigns/wait-until.ts';

/** How long the person's request waits for the engine to give back what is held. */
const PATIENCE_MS = seconds(20);
const AT_ONCE = 5;
const SHORTEST_WAIT_MS = seconds(2);
const LONGEST_WAIT_MS = hours(1);
/** By then it has gone on for some minutes. */
const WORTH_A_WARNING = 8;
/** Nobody is kept for ever because the platform will not take a permission back; without us it ends by itself. */
const GIVE_UP_REVOKING_MS = days(3);

/**
 * Revokes our permission, or deletes everything. First what is held is given back, then the platform is told,
 * then we forget: each step can be repeated, so whatever interrupts it, it goes on from there.
 * @throws Refusal when it cannot be finished now; it then goes on in the background
 */
export async function leave(deps: OperationDeps, person: Person, how: Leaving['how']): Promise<void> {
  if (how === 'delete') await requireMayDelete(deps, person);
  await inTransaction(deps.db, async (tx) => {
    const current = await lockPerson(tx, person.id);
    if (current === null) throw new Refusal('UNAUTHENTICATED');
    await beginLeaving(deps, tx, current, { how, by: 'person' });
  });
  deps.wake();
  // What was opened in between; whoever begins a checkout from now on finds them leaving.
  if (how === 'delete') await isClosed(deps, person.id);
  await waitUntil(async () => (await countLiveHolds(deps.db, person.id)) === 0, PATIENCE_MS);
  if (!(await finishLeaving(deps, person.id))) {
    throw new Refusal(how === 'delete' ? 'ACCOUNT_DELETE_FAILED' : 'DEAUTH_FAILED');
  }
}

/** The first step: from here on nothing new is held for them, and everything held is given back. */
export async function beginLeaving(
  deps: OperationDeps,
  tx: Db,
  person: Person,
  { how, by }: Pick<Leaving, 'how' | 'by'>,
): Promise<void> {
  const now = deps.clock.now();
  await markLeaving(tx, person.id, { how, by, since: now });
  if (person.leaving?.how !== how) {
    const message =
      how === 'delete' ? 'The account is to be deleted.' : 'The authorization is to be revoked.';
    const about = { personId: person.id, type: 'other', event: `${how}_asked`, message } as const;
    await recordActivities(tx, [{ ...about, actor: by }], now);
  }
  await makeDueForPerson(tx, person.id, now);
}

/** Goes on with everybody whose leaving was interrupted, a few at a time: one who hangs holds up few. */
export async function finishAllLeaving(deps: OperationDeps): Promise<void> {
  const waiting = await findLeaving(deps.db, deps.clock.now());
  const goOn = async (): Promise<void> => {
    for (let person = waiting.shift(); person !== undefined; person = waiting.shift()) {
      await finishSafely(deps, person);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, goOn));
}

async function finishSafely(deps: OperationDeps, person: Person): Promise<void> {
  try {
    await finishLeaving(deps, person.id);
  } catch (error) {
    deps.log.error({ person: person.id, err: error }, 'a leaving person meets a fault');
    const why = error instanceof Error ? error.name : 'fault';
    await postpone(deps, person, { retryAt: null, error: `fault (${why})` }).catch(() => undefined);
  }
}

/** @returns true when it is finished, or they have come back and are not leaving any more */
async function finishLeaving(deps: OperationDeps, personId: string): Promise<boolean> {
  if ((await countLiveHolds(deps.db, personId)) > 0) return false;
  // Whoever has logged in again meanwhile keeps the permission that they have just given.
  const person = await findPerson(deps.db, personId);
  if (person === null || person.leaving === null) return true;
  const { how } = person.leaving;
  // Before the rest, with which Meta may keep us waiting for days; whoever is leaving is opened no other page.
  const nothingToPay = how !== 'delete' || (await isClosed(deps, person.id));
  const revoked = await revoke(deps, person, person.leaving);
  if (!revoked.ok) {
    await postpone(deps, person, revoked);
    return false;
  }
  const kept = how === 'delete' ? await keptByStripe(deps, person.id, nothingToPay) : null;
  if (kept !== null) {
    await postpone(deps, person, { retryAt: null, error: `stripe: ${kept}` });
    return false;
  }
  return inTransaction(deps.db, async (tx) => {
    const current = await lockPerson(tx, personId);
    if (current === null) return true;
    if (current.leaving === null) {
      // They came back in this very moment: what the permission is worth must be asked.
      await suspectToken(tx, personId, deps.clock.now());
      return true;
    }
    // Revoking has become deleting meanwhile: that takes more.
    if (current.leaving.how !== how) return false;
    // Since they are marked nothing new is held; this is what was written just before.
    if ((await countLiveHolds(tx, personId)) > 0) return false;
    await forget(deps, tx, current, current.leaving);
    return true;
  });
}

/** As Stripe has it now: an active subscription must be cancelled first, and an admin grant cleared. */
async function requireMayDelete(deps: OperationDeps, person: Person): Promise<void> {
  // Nothing is paid for while the account is being closed.
  await closeCheckouts(deps, person.id);
  await readNow(deps, person);
  const now = deps.clock.now();
  const subscription = await findSubscription(deps.db, person.id, now);
  if (blocksDeletion(subscription, hasActiveSubscription(subscription, now))) {
    throw new Refusal('SUBSCRIPTION_ACTIVE');
  }
}

/** Whether no page is left that could be paid; Stripe may not answer, and then it is asked again. */
async function isClosed(deps: OperationDeps, personId: string): Promise<boolean> {
  try {
    await closeCheckouts(deps, personId);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** Why nothing of theirs is deleted at Stripe yet; null: it is. */
async function keptByStripe(
  deps: OperationDeps,
  personId: string,
  nothingToPay: boolean,
): Promise<string | null> {
  return nothingToPay ? deleteCustomer(deps, personId) : 'a checkout could not be closed';
}

/** Tried again ever later, never before the platform's own hint. */
async function postpone(
  deps: OperationDeps,
  person: Person,
  { retryAt, error }: { retryAt: Instant | null; error: string },
): Promise<void> {
  const now = deps.clock.now();
  const failures = (person.leaving?.failures ?? 0) + 1;
  const wait = Math.min(LONGEST_WAIT_MS, SHORTEST_WAIT_MS * 2 ** Math.min(failures - 1, 20));
  await postponeLeaving(deps.db, person.id, { retryAt: Math.max(now + wait, retryAt ?? 0), error });
  const level = failures >= WORTH_A_WARNING ? 'warn' : 'info';
  deps.log[level](
    { person: person.id, failures, failure: error },
    'somebody who is leaving could not be let go yet',
  );
}

type Revoked = { ok: true } | { ok: false; retryAt: Instant | null; error: string };

/** Done when the platform has no permission of ours left, as far as can be known. */
async function revoke(deps: OperationDeps, person: Person, leaving: Leaving): Promise<Revoked> {
  // One whose key is lost is as good as none: it cannot be revoked, and must not keep anybody.
  const token = await findTokenToRevoke(deps.db, deps.vault, person.id);
  if (token === null) return { ok: true };
  const revoked = await deps.login.revoke(token);
  if (revoked.ok) return { ok: true };
  const { failure } = revoked;
  const now = deps.clock.now();
  // With the login disrupted a refused token proves nothing.
  if (failure.kind === 'token_invalid' && !(await isLoginDisrupted(deps))) return { ok: true };
  if (now - leaving.since >= GIVE_UP_REVOKING_MS) {
    deps.log.warn({ person: person.id, failure: failure.kind }, 'a permission could not be revoked on Meta');
    return { ok: true };
  }
  const given = { failures: 1, usage: null, roll: 0, now };
  return { ok: false, retryAt: afterFailure(failure, given).retryAt, error: describeFailure(failure) };
}

/** The last step, all or nothing: the farewell is in the outbox when the data is gone. */
async function forget(deps: OperationDeps, tx: Db, person: Person, leaving: Leaving): Promise<void> {
  const now = deps.clock.now();
  const given = { publicUrl: deps.publicUrl, now };
  const { untold, resumed } = await sealAllOf(tx, person, given);
  const fingerprints = fingerprintsOfUser(deps.vault, person.platformUserId);
  const isDeletion = leaving.how === 'delete';
  const confirmationCode = isDeletion ? await finishDeletionRequests(tx, fingerprints, now) : null;
  const words = await wordFarewell(tx, { person, leaving, confirmationCode, resumed, ...given });
  const reason = leaving.by === 'meta' ? 'asked for on Meta' : 'asked for in Settings';
  const about = { actor: leaving.by, type: 'other', reason } as const;
  if (isDeletion) {
    if (words !== null) await addFarewell(tx, { personId: null, kind: 'deleted', words }, now);
    await deletePerson(tx, person.id);
    await dropOrphanedAccounts(tx);
    const message = 'An account was deleted.';
    await recordActivities(tx, [{ ...about, personId: null, event: 'deleted', message }], now);
    return;
  }
  if (words !== null) {
    const farewell = await addFarewell(tx, { personId: person.id, kind: 'deauthorized', words }, now);
    if (untold !== null) await retell(tx, untold, farewell);
  }
  await forgetAuthorization(tx, person.id);
  const message = `${person.name} revoked the authorization.`;
  await recordActivities(tx, [{ ...about, personId: person.id, event: 'deauthorized', message }], now);
}
