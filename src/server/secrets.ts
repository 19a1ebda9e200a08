import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

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
  seal(text: string, context: string): Sealed;
  /** Throws when the key is not known or the data was not sealed with it for this context. */
  open(sealed: Sealed, context: string): string;
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
  const [newest, ...older] = keys.map(deriveKey);
  if (newest === undefined) throw new Error('a vault needs at least one key');
  const byId = new Map([newest, ...older].map((key) => [key.id, key]));
  return {
    keyId: newest.id,
    seal(text, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', newest.key, nonce);
      cipher.setAAD(Buffer.from(context));
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return { sealed, keyId: newest.id };
    },
    open({ sealed, keyId }, context) {
      const key = byId.get(keyId);
      if (key === undefined)
        throw new Error(`sealed with the key ${keyId}, which ENCRYPTION_KEY does not hold`);
      const data = Buffer.from(sealed);
      const decipher = createDecipheriv('aes-256-gcm', key.key, data.subarray(0, NONCE_BYTES));
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(data.subarray(data.length - TAG_BYTES));
      const text = data.subarray(NONCE_BYTES, data.length - TAG_BYTES);
      return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
    },
    fingerprints: (text) =>
      [newest, ...older].map(({ key }) => createHmac('sha256', key).update(text).digest()),
  };
}

function deriveKey(secret: string): { id: string; key: Buffer } {
  const key = Buffer.from(hkdfSync('sha256', secret, 'smartpause', 'platform tokens', 32));
  return { id: createHash('sha256').update(key).digest('hex').slice(0, 12), key };
}

/**
 * What is kept of a platform user after their account, for trials and deletion requests: it says who they are only to
 * whoever knows them. The newest key's first.
 */
export function fingerprintsOfUser(vault: Vault, platformUserId: string): Uint8Array[] {
  return vault.fingerprints(`platform user ${platformUserId}`);
}
