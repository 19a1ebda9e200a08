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

/** An opaque random token: 256 bits, URL-safe. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** For random tokens only: they cannot be guessed, so a plain hash is enough. */
export function hashSecret(secret: string): Uint8Array {
  return createHash('sha256').update(secret).digest();
}

/** Of the newest key first. */
export type Fingerprints = readonly [Uint8Array, ...Uint8Array[]];

export interface Encrypted {
  ciphertext: Uint8Array;
  keyId: string;
}

export type TokenCipher = ReturnType<typeof createTokenCipher>;

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts what must be read again, such as platform tokens: AES-256-GCM, key id beside the data.
 * @param keys secrets, newest first: the first encrypts, all decrypt. A key's id is derived from the key,
 *   so an old row names the key that it needs.
 */
export function createTokenCipher(keys: readonly string[]) {
  const [newest, ...older] = keys.map(deriveKeys);
  if (newest === undefined) throw new Error('a cipher needs at least one key');
  const byId = new Map([newest, ...older].map((key) => [key.id, key]));
  return {
    /** The key that encrypts; tokens of another key are encrypted again. */
    keyId: newest.id,
    /** All keys that decrypt. */
    keyIds: [...byId.keys()] as readonly string[],
    encrypt(text: string, context: string): Encrypted {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', newest.encryption, nonce);
      cipher.setAAD(Buffer.from(context));
      const ciphertext = Buffer.concat([
        nonce,
        cipher.update(text, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return { ciphertext, keyId: newest.id };
    },
    /** Null: the key is unknown, or the data was not encrypted with it for this context. */
    decrypt({ ciphertext, keyId }: Encrypted, context: string): string | null {
      const key = byId.get(keyId);
      return key === undefined ? null : decryptWith(key.encryption, Buffer.from(ciphertext), context);
    },
    /** Keyed fingerprints, one per key. Without a key, inputs cannot be guessed offline. */
    fingerprints(text: string): Fingerprints {
      const mark = (key: typeof newest) => createHmac('sha256', key.marking).update(text).digest();
      return [mark(newest), ...older.map(mark)];
    },
  };
}

function decryptWith(key: KeyObject, data: Buffer, context: string): string | null {
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

/** Derives a key per purpose, so that knowledge of one reveals nothing about the other. */
function deriveKeys(secret: string): { id: string; encryption: KeyObject; marking: Buffer } {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, 'smartpause', purpose, 32));
  const encryption = derive('platform tokens');
  const id = createHash('sha256').update(encryption).digest('hex').slice(0, 12);
  // Cached: creating a KeyObject from bytes takes three times as long as decrypting a token.
  return { id, encryption: createSecretKey(encryption), marking: derive('fingerprints') };
}

/**
 * Kept after an account is deleted, for trials and deletion requests. They identify a user only for a caller
 * who knows the platform user id.
 */
export function fingerprintsOfUser(cipher: TokenCipher, platformUserId: string): Fingerprints {
  return cipher.fingerprints(`platform user ${platformUserId}`);
}
