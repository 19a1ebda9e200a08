import { Refusal } from '#contract/errors.ts';
import type { DeletionStatus } from '#contract/shapes.ts';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';
import type { SignedRequest } from '../../platforms/meta/signed-request.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/database.ts';
import { findDeletionRequest, noteDeletionRequest } from '../../db/users/deletion-requests.ts';
import { handOverHolds } from '../../db/holds/hand-over.ts';
import type { Person } from '../../db/users/people.ts';
import { findPersonOfPlatformUser, lockPerson } from '../../db/users/people.ts';
import { REMOVED_ON_META, markRefused } from '../../db/users/tokens.ts';
import { fingerprintsOfUser } from '../../secrets.ts';
import type { OperationDeps } from '../deps.ts';
import { beginLeaving } from './leave.ts';

/** 80 bits. */
const CODE_LENGTH = 20;

/** Somebody has removed the app on the platform: what is ours to do is done in the background. */
export async function deauthorizeByPlatform(deps: OperationDeps, signed: string): Promise<void> {
  const request = requireGenuine(deps, signed);
  await inTransaction(deps.db, async (tx) => {
    const { person, isOld } = await findConcerned(tx, request);
    if (person === null || isOld) return;
    const now = deps.clock.now();
    await markRefused(tx, { personId: person.id, reason: REMOVED_ON_META, usedAt: now }, now);
    await handOverHolds(tx, { personId: person.id }, now);
    await beginLeaving(deps, tx, person, { how: 'deauthorize', by: 'meta' });
  });
  deps.wake();
}

/** Somebody wants their data deleted: answers where they can see how far it is. */
export async function deleteByPlatform(
  deps: OperationDeps,
  signed: string,
): Promise<{ url: string; confirmation_code: string }> {
  const request = requireGenuine(deps, signed);
  const fingerprints = fingerprintsOfUser(deps.vault, request.platformUserId);
  const code = await inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now();
    const { person, isOld } = await findConcerned(tx, request);
    const isWanted = person !== null && !isOld;
    // Our access may still be good, and then what is held is given back like at any other deletion.
    if (isWanted) await beginLeaving(deps, tx, person, { how: 'delete', by: 'meta' });
    const outcome = person === null ? 'nothing_to_delete' : isOld ? 'superseded' : null;
    return noteDeletionRequest(tx, { code: codeOf(deps, signed), fingerprints, outcome }, now);
  });
  deps.wake();
  return { url: `${deps.publicUrl}/data-deletion/${code}`, confirmation_code: code };
}

export async function getDeletionStatus(deps: OperationDeps, code: string): Promise<DeletionStatus> {
  const request = await findDeletionRequest(deps.db, code);
  if (request === null) throw new Refusal('DELETION_NOT_FOUND');
  return {
    confirmationCode: request.code,
    requestedAt: iso(request.requestedAt),
    finishedAt: request.finishedAt === null ? null : iso(request.finishedAt),
    isSuperseded: request.isSuperseded,
  };
}

function requireGenuine(deps: OperationDeps, signed: string): SignedRequest {
  const request = deps.login.readSignedRequest(signed);
  if (request === null)
    throw new Refusal('INVALID_REQUEST', 'signed_request: not signed by Meta, or too old');
  return request;
}

/** The same request sent once more has the same code; without our key nobody can make one up. */
function codeOf({ vault }: OperationDeps, signed: string): string {
  const [fingerprint = new Uint8Array()] = vault.fingerprints(`deletion request ${signed}`);
  return Buffer.from(fingerprint).toString('hex').slice(0, CODE_LENGTH).toUpperCase();
}

/**
 * Whom a request is about; null when we do not know them. When they have logged in after it was made it is an old one
 * that comes late or once more, and they want to stay.
 */
async function findConcerned(
  tx: Db,
  request: SignedRequest,
): Promise<{ person: Person; isOld: boolean } | { person: null; isOld: false }> {
  const found = await findPersonOfPlatformUser(tx, request.platformUserId);
  // Whoever is just being deleted is gone once that is over.
  const person = found === null ? null : await lockPerson(tx, found.id);
  if (person === null) return { person, isOld: false };
  // The platform counts in whole seconds.
  return { person, isOld: person.loggedInAt >= request.issuedAt + seconds(1) };
}

function iso(at: Instant): string {
  return new Date(at).toISOString();
}
