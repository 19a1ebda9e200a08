import type { Encrypted, TokenCipher } from './secrets.ts';

const LINK = /^(?<keyId>[0-9a-f]+)\.(?<ciphertext>[\w-]+)$/;

/** A value as a word for an address: who has it can neither read nor change it. @param context what the address is for */
export function encryptLink(cipher: TokenCipher, value: unknown, context: string): string {
  const { keyId, ciphertext } = cipher.encrypt(JSON.stringify(value), context);
  return `${keyId}.${Buffer.from(ciphertext).toString('base64url')}`;
}

/** Null: it is not one of ours for this context. */
export function decryptLink(cipher: TokenCipher, word: string, context: string): unknown {
  const found = LINK.exec(word)?.groups as Record<keyof Encrypted, string> | undefined;
  if (found === undefined) return null;
  const { keyId, ciphertext } = found;
  const text = cipher.decrypt({ keyId, ciphertext: Buffer.from(ciphertext, 'base64url') }, context);
  return text === null ? null : JSON.parse(text);
}
