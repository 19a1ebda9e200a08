import type { KeyObject } from 'node:crypto';
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from 'node:crypto';

/** An opaque random token: 256 bits, safe in addresses. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** For random tokens only: they cannot be guessed, so a plain hash hides them well. */
export function hashSecret(secret: string): Uint8Array {
  return createHash('sha256').update(secret).digest();
}

export interface Sealed {
  sealed: Uint8Array;
  keyId: string;
}

/** Seals what must be read again later, such as platform tokens: AES-256-GCM, the key named beside the data. */
export interface Vault {
  /** The key that seals now; what names another is to be sealed anew. */
  keyId: string;
  /** All that open. */
  keyIds: readonly string[];
  seal(text: string, context: string): Sealed;
  /** Null when the key is not known, or the data was not sealed with it for this context. */
  open(sealed: Sealed, context: string): string | null;
  /** Keyed fingerprints, one for each key, the newest first: without a key nobody can try out inputs. */
  fingerprints(text: string): Uint8Array[];
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * @param keys secrets, the newest first: it seals, all of them open. A key's id is derived from the key itself,
 *   so an old row says which key it needs.
 */
export function createVault(keys: readonly string[]): Vault {
  const [newest, ...older] = keys.map(deriveKeys);
  if (newest === undefined) throw new Error('a vault needs at least one key');
  const byId = new Map([newest, ...older].map((key) => [key.id, key]));
  return {
    keyId: newest.id,
    keyIds: [...byId.keys()],
    seal(text, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', newest.sealing, nonce);
      cipher.setAAD(Buffer.from(context));
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return { sealed, keyId: newest.id };
    },
    open({ sealed, keyId }, context) {
      const key = byId.get(keyId);
      return key === undefined ? null : unseal(key.sealing, Buffer.from(sealed), context);
    },
    fingerprints: (text) =>
      [newest, ...older].map(({ marking }) => createHmac('sha256', marking).update(text).digest()),
  };
}

function unseal(key: KeyObject, data: Buffer, context: string): string | null {
  if (data.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, data.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(data.subarray(data.length - TAG_BYTES));
  const text = data.subarray(NONCE_BYTES, data.length - TAG_BYTES);
  try {
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

/** One key for each purpose, so that nothing that is known of one says anything of the other. */
function deriveKeys(secret: string): { id: string; sealing: KeyObject; marking: Buffer } {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, 'smartpause', purpose, 32));
  const sealing = derive('platform tokens');
  const id = createHash('sha256').update(sealing).digest('hex').slice(0, 12);
  // Made once: to make it of bytes costs three times as much as to open a token.
  return { id, sealing: createSecretKey(sealing), marking: derive('fingerprints') };
}

/**
 * What is kept of a platform user after their account, for trials and deletion requests: it says who they are only to
 * whoever knows them. The newest key's first.
 */
export function fingerprintsOfUser(vault: Vault, platformUserId: string): Uint8Array[] {
  return vault.fingerprints(`platform user ${platformUserId}`);
}
