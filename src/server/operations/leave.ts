import { Refusal } from '#contract/errors.ts';
import { wouldRenew } from '#core/subscription.ts';
import { seconds } from '#core/time.ts';
import { findSubscription } from '../db/billing.ts';
import { inTransaction } from '../db/database.ts';
import { countLiveHolds } from '../db/holds.ts';
import { recordActivities } from '../db/journal.ts';
import { makeDueForPerson } from '../db/lanes.ts';
import type { Person } from '../db/people.ts';
import { deletePerson, findLeaving, findPerson, forgetAuthorization, markLeaving } from '../db/people.ts';
import { endSessionsOf } from '../db/sessions.ts';
import { findToken } from '../db/tokens.ts';
import type { OperationDeps } from './deps.ts';
import { waitUntil } from './wait-until.ts';

/** How long the person's request waits for the engine to give back what is held. */
const PATIENCE_MS = seconds(20);

type How = 'deauthorize' | 'delete';

/**
 * Revokes our permission, or deletes everything. First what is held is given back, then the platform is told,
 * then we forget: each step can be repeated, so whatever interrupts it, it goes on from there.
 * @throws Refusal when it cannot be finished now; it then goes on in the background
 */
export async function leave(deps: OperationDeps, person: Person, how: How): Promise<void> {
  const now = deps.clock.now();
  if (how === 'delete' && wouldRenew(await findSubscription(deps.db, person.id), now)) {
    throw new Refusal('SUBSCRIPTION_ACTIVE');
  }
  await inTransaction(deps.db, async (tx) => {
    await markLeaving(tx, person.id, how);
    await makeDueForPerson(tx, person.id, now);
  });
  deps.wake();
  await waitUntil(async () => (await countLiveHolds(deps.db, person.id)) === 0, PATIENCE_MS);
  if (!(await finishLeaving(deps, { ...person, leaving: how }))) {
    throw new Refusal(how === 'delete' ? 'ACCOUNT_DELETE_FAILED' : 'DEAUTH_FAILED');
  }
}

/** Goes on with everybody whose leaving was interrupted. */
export async function finishAllLeaving(deps: OperationDeps): Promise<void> {
  for (const person of await findLeaving(deps.db)) {
    if (!(await finishLeaving(deps, person))) {
      deps.log.warn(
        { person: person.id },
        'somebody is still leaving: something is held or Meta does not answer',
      );
    }
  }
}

async function finishLeaving(deps: OperationDeps, person: Person): Promise<boolean> {
  if ((await countLiveHolds(deps.db, person.id)) > 0) return false;
  const token = await findToken(deps.db, deps.vault, person.id);
  if (token !== null) {
    const revoked = await deps.login.revoke(token);
    if (!revoked.ok && revoked.failure.kind !== 'token_invalid') return false;
  }
  const now = deps.clock.now();
  await inTransaction(deps.db, async (tx) => {
    const current = await findPerson(tx, person.id);
    if (current === null || current.leaving === null) return;
    if (current.leaving === 'delete') {
      await deletePerson(tx, person.id);
      await recordActivities(
        tx,
        [{ personId: null, type: 'other', message: 'An account was deleted.', event: 'deleted' }],
        now,
      );
      return;
    }
    await endSessionsOf(tx, person.id);
    await forgetAuthorization(tx, person.id);
    const message = `${person.name} revoked the authorization.`;
    await recordActivities(tx, [{ personId: person.id, type: 'other', message, event: 'deauthorized' }], now);
  });
  return true;
}
