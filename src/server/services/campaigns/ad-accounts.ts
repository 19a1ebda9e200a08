import { createHash } from 'node:crypto';
import { Refusal } from '#contract/errors.ts';
import type { AdAccount, LastKnown } from '#contract/shapes.ts';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';
import { adAccountsSeenAt, listAdAccounts, ownsAdAccount, saveAdAccounts } from '../../db/campaigns.ts';
import type { Person } from '../../db/users/people.ts';
import { findToken } from '../../db/users/tokens.ts';
import type { OperationDeps } from '../deps.ts';
import { refusalOf } from './platform-refusal.ts';
import type { Outcome } from './readings.ts';

/** Whoever has just been given an ad account and loads the page anew is to see it. */
const ACCOUNTS_FRESH_MS = seconds(5);
/** One that could not be read is not tried again at once, by whoever looks whether it was. */
export const RETRY_MS = seconds(10);
/** How long somebody waits for newer ad accounts than those that we have, and a list is read before that is said. */
export const PATIENCE_MS = seconds(5);
export const otherwise = 'PLATFORM_UNAVAILABLE';

/** The platform's list, or while it does not answer the one we have. */
export async function getAdAccounts(
  deps: OperationDeps,
  person: Person,
): Promise<{ adAccounts: AdAccount[]; lastKnown?: LastKnown }> {
  const stored = await listAdAccounts(deps.db, person.id);
  const hasOther = stored.length > 0;
  const refused = await soon(deps, hasOther, refreshAdAccounts(deps, person, { hasOther }));
  const adAccounts = await listAdAccounts(deps.db, person.id);
  if (refused === null) return { adAccounts };
  if (stored.length === 0) throw new Refusal(refused);
  const seenAt = await adAccountsSeenAt(deps.db, person.id);
  return { adAccounts, ...since(refused === 'PLATFORM_UNAVAILABLE' ? seenAt : null, 'no_answer') };
}

/** Reads the person's ad accounts from the platform, unless that was done a moment ago; or has failed, if there are others. */
async function refreshAdAccounts(
  deps: OperationDeps,
  person: Person,
  { hasOther }: { hasOther: boolean },
): Promise<Outcome> {
  const token = await findToken(deps.db, deps.vault, person.id);
  if (token === null) return 'TOKEN_EXPIRED';
  const key = keyOf(person, token, 'ad accounts');
  if (deps.readings.lastWithin(key, ACCOUNTS_FRESH_MS) === null) return null;
  const hasFailed = deps.readings.lastWithin(key, RETRY_MS) === otherwise;
  if (hasOther && (hasFailed || deps.readings.isLate(key, PATIENCE_MS))) return otherwise;
  return deps.readings.join(key, async () => {
    const answer = await deps.platform.listAdAccounts(token);
    if (!answer.ok) return refusalOf(deps, person, { failure: answer.failure, otherwise });
    await saveAdAccounts(deps.db, person.id, answer.value, deps.clock.now());
    return null;
  });
}

/** Each reads for themselves and with the token of that time: what came of it says nothing of anybody else's rights. */
export function keyOf(person: Person, token: string, what: string): string {
  return `${person.id} ${createHash('sha256').update(token).digest('base64url')} ${what}`;
}

/** Whoever can be shown something already does not wait for ever; the reading goes on, for the next time. */
export async function soon(
  deps: OperationDeps,
  hasOther: boolean,
  reading: Promise<Outcome>,
): Promise<Outcome> {
  if (!hasOther) return reading;
  const patience = Promise.withResolvers<Outcome>();
  const cancel = deps.clock.after(PATIENCE_MS, () => patience.resolve(otherwise));
  reading.catch((error: unknown) => deps.log.warn({ err: error }, 'a list could not be read'));
  return Promise.race([reading, patience.promise]).finally(cancel);
}

export function since(at: Instant | null, because: LastKnown['because']): { lastKnown?: LastKnown } {
  return at === null ? {} : { lastKnown: { at: new Date(at).toISOString(), because } };
}

/** Their own, as far as we know or the platform says. */
export async function requireOwnAccount(
  deps: OperationDeps,
  person: Person,
  accountId: string,
): Promise<void> {
  if (await ownsAdAccount(deps.db, person.id, accountId)) return;
  if ((await listAdAccounts(deps.db, person.id)).length === 0) {
    const { adAccounts } = await getAdAccounts(deps, person);
    if (adAccounts.some(({ id }) => id === accountId)) return;
  }
  throw new Refusal('AD_ACCOUNT_NOT_FOUND');
}
