import { ApiError } from '#contract/errors.ts';
import { seconds } from '#core/time.ts';
import type { SignedRequest } from '../../platforms/platform.ts';
import type { Db } from '../../db/database.ts';
import { REMOVED_ON_META } from '#core/platform-access.ts';
import { inTransaction } from '../../db/database.ts';
import { findDeletionRequest, noteDeletionRequest } from '../../db/users/deletion-requests.ts';
import type { User } from '../../db/users/users.ts';
import { findUserId, lockUser } from '../../db/users/users.ts';
import { markRejected } from '../../db/users/tokens.ts';
import { fingerprintsOfUser } from '../../secrets.ts';
import type { Needs } from '../deps.ts';
import { beginLeaving } from './leave.ts';

export type CallbackDeps = Needs<'db' | 'cipher' | 'login' | 'clock' | 'wake' | 'publicUrl'>;

/** 80 bits. */
const CODE_LENGTH = 20;

/** The user removed the app on Meta; a scheduled task does our part. */
export async function deauthorizeByPlatform(deps: CallbackDeps, signed: string): Promise<void> {
  const request = requireGenuine(deps, signed);
  await inTransaction(deps.db, async (tx) => {
    const { user, isOld } = await findConcerned(tx, request);
    if (user === null || isOld) return;
    const now = deps.clock.now();
    await markRejected(tx, { userId: user.id, reason: REMOVED_ON_META, usedAt: now }, now);
    await beginLeaving(deps, tx, user, { how: 'deauthorize', by: 'meta' });
  });
  deps.wake();
}

/**
 * Meta requests a deletion.
 * @returns where the user can see its progress
 */
export async function deleteByPlatform(
  deps: CallbackDeps,
  signed: string,
): Promise<{ url: string; confirmation_code: string }> {
  const request = requireGenuine(deps, signed);
  const fingerprints = fingerprintsOfUser(deps.cipher, request.platformUserId);
  const code = await inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now();
    const { user, isOld } = await findConcerned(tx, request);
    const isWanted = user !== null && !isOld;
    // Our token may still work, and then the holds end as in any other deletion.
    if (isWanted) await beginLeaving(deps, tx, user, { how: 'delete', by: 'meta' });
    const outcome = user === null ? 'nothing_to_delete' : isOld ? 'superseded' : null;
    return noteDeletionRequest(tx, { code: codeOf(deps, signed), fingerprints, outcome }, now);
  });
  deps.wake();
  return { url: `${deps.publicUrl}/data-deletion/${code}`, confirmation_code: code };
}

export async function getDeletionStatus(deps: Needs<'db'>, code: string) {
  const request = await findDeletionRequest(deps.db, code);
  if (request === null) throw new ApiError('DELETION_NOT_FOUND');
  return request;
}

function requireGenuine(deps: Needs<'login'>, signed: string): SignedRequest {
  const request = deps.login.readSignedRequest(signed);
  if (request !== null) return request;
  throw new ApiError('INVALID_REQUEST', 'signed_request: not signed by Meta, or too old');
}

/** A repeated request has the same code; without our key no code can be forged. */
function codeOf({ cipher }: Needs<'cipher'>, signed: string): string {
  const [fingerprint] = cipher.fingerprints(`deletion request ${signed}`);
  return Buffer.from(fingerprint).toString('hex').slice(0, CODE_LENGTH).toUpperCase();
}

/**
 * The user of a request; null: unknown.
 * A request from before the last login is old (delayed or repeated), and the user stays.
 */
async function findConcerned(tx: Db, request: SignedRequest): Promise<{ user: User | null; isOld: boolean }> {
  const userId = await findUserId(tx, request.platformUserId);
  // The lock waits for a running deletion, after which the user is gone.
  const user = userId === null ? null : await lockUser(tx, userId);
  if (user === null) return { user, isOld: false };
  // Meta's times have whole seconds.
  return { user, isOld: user.loggedInAt >= request.issuedAt + seconds(1) };
}
