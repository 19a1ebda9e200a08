import { Refusal } from '#contract/errors.ts';
import { wouldRenew } from '#core/subscription.ts';
import { seconds } from '#core/time.ts';
import { findBillingCustomer } from '../db/billing-customers.ts';
import { findOwnSubscriptions } from '../db/subscriptions.ts';
import { dropOrphanedAccounts } from '../db/campaigns.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/database.ts';
import { finishDeletionRequests } from '../db/deletion-requests.ts';
import { countLiveHolds } from '../db/holds.ts';
import { recordActivities } from '../db/journal.ts';
import { makeDueForPerson } from '../db/lanes.ts';
import { addFarewell } from '../db/mails.ts';
import type { Leaving, Person } from '../db/people.ts';
import {
  deletePerson,
  findLeaving,
  findPerson,
  forgetAuthorization,
  lockPerson,
  markLeaving,
} from '../db/people.ts';
import { retell } from '../db/told.ts';
import { findToken } from '../db/tokens.ts';
import { wordFarewell } from '../mails/farewell.ts';
import { sealAllOf } from '../mails/seal.ts';
import { syncSubscription } from './billing-sync.ts';
import type { OperationDeps } from './deps.ts';
import { isLoginDisrupted } from './status.ts';
import { waitUntil } from './wait-until.ts';

/** How long the person's request waits for the engine to give back what is held. */
const PATIENCE_MS = seconds(20);

/**
 * Revokes our permission, or deletes everything. First what is held is given back, then the platform is told,
 * then we forget: each step can be repeated, so whatever interrupts it, it goes on from there.
 * @throws Refusal when it cannot be finished now; it then goes on in the background
 */
export async function leave(deps: OperationDeps, person: Person, how: Leaving['how']): Promise<void> {
  if (how === 'delete') await requireNoRenewal(deps, person);
  await inTransaction(deps.db, (tx) => beginLeaving(deps, tx, person, { how, by: 'person' }));
  deps.wake();
  await waitUntil(async () => (await countLiveHolds(deps.db, person.id)) === 0, PATIENCE_MS);
  if (!(await finishLeaving(deps, person))) {
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

/** Goes on with everybody whose leaving was interrupted. */
export async function finishAllLeaving(deps: OperationDeps): Promise<void> {
  for (const person of await findLeaving(deps.db)) {
    const isFinished = await finishLeaving(deps, person).catch((error: unknown) => {
      deps.log.error({ person: person.id, err: error }, 'a leaving person meets a fault');
      return false;
    });
    if (!isFinished) {
      deps.log.debug(
        { person: person.id },
        'somebody is still leaving: something is held or Meta does not answer',
      );
    }
  }
}

async function finishLeaving(deps: OperationDeps, person: Person): Promise<boolean> {
  if ((await countLiveHolds(deps.db, person.id)) > 0) return false;
  if (!(await revoke(deps, person))) return false;
  const how = (await findPerson(deps.db, person.id))?.leaving?.how;
  if (how === 'delete' && !(await endBilling(deps, person))) return false;
  return inTransaction(deps.db, async (tx) => {
    const current = await lockPerson(tx, person.id);
    // Finished by somebody else, or they have come back meanwhile.
    if (current === null || current.leaving === null) return true;
    // Revoking has become deleting meanwhile: that takes more.
    if (current.leaving.how !== how) return false;
    // Since they are marked nothing new is held; this is what was written just before.
    if ((await countLiveHolds(tx, person.id)) > 0) return false;
    await forget(deps, tx, current, current.leaving);
    return true;
  });
}

/** As Stripe has it now: a subscription that goes on must be cancelled by its person first. */
async function requireNoRenewal(deps: OperationDeps, person: Person): Promise<void> {
  if (!(await syncSubscription(deps, person.id))) throw new Refusal('BILLING_UNAVAILABLE');
  const { stripe } = await findOwnSubscriptions(deps.db, person.id);
  if (wouldRenew(stripe, deps.clock.now())) throw new Refusal('SUBSCRIPTION_ACTIVE');
}

/** Nothing is charged for somebody we no longer know. */
async function endBilling(deps: OperationDeps, person: Person): Promise<boolean> {
  const customer = await findBillingCustomer(deps.db, person.id);
  if (customer?.customerId == null) return true;
  return (await deps.billing.deleteCustomer(customer.customerId)).ok;
}

/** True when the platform has no permission of ours left, as far as can be known. */
async function revoke(deps: OperationDeps, person: Person): Promise<boolean> {
  const token = await findUsableToken(deps, person);
  if (token === null) return true;
  const revoked = await deps.login.revoke(token);
  if (revoked.ok) return true;
  // With the login disrupted a refused token proves nothing.
  return revoked.failure.kind === 'token_invalid' && !(await isLoginDisrupted(deps));
}

/** A token whose key is lost is as good as none: it cannot be revoked, and must not keep anybody. */
async function findUsableToken(deps: OperationDeps, person: Person): Promise<string | null> {
  try {
    return await findToken(deps.db, deps.vault, person.id);
  } catch (error) {
    deps.log.error({ person: person.id, err: error }, 'a platform token cannot be opened');
    return null;
  }
}

/** The last step, all or nothing: the farewell is in the outbox when the data is gone. */
async function forget(deps: OperationDeps, tx: Db, person: Person, leaving: Leaving): Promise<void> {
  const now = deps.clock.now();
  const given = { publicUrl: deps.publicUrl, now };
  const { untold, resumed } = await sealAllOf(tx, person, given);
  const fingerprints = deps.vault.fingerprints(`platform user ${person.platformUserId}`);
  const isDeletion = leaving.how === 'delete';
  const confirmationCode = isDeletion ? await finishDeletionRequests(tx, fingerprints, now) : null;
  const words = await wordFarewell(tx, { person, leaving, confirmationCode, resumed, ...given });
  const about = { actor: leaving.by, type: 'other' } as const;
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
