import { createHmac, hkdfSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createTokenCipher, hashSecret, newSecret } from './secrets.ts';

const OLD = 'an-old-key-of-at-least-32-characters!';
const NEW = 'a-new-key-of-at-least-32-characters!!';

describe('the token cipher', () => {
  test('decrypts what it encrypted, and the ciphertext does not contain the text', () => {
    const cipher = createTokenCipher([NEW]);
    const encrypted = cipher.encrypt('EAAB-token', 'platform_token:7');
    expect(Buffer.from(encrypted.ciphertext).includes('EAAB')).toBe(false);
    expect(cipher.decrypt(encrypted, 'platform_token:7')).toBe('EAAB-token');
    expect(cipher.encrypt('EAAB-token', 'platform_token:7').ciphertext).not.toEqual(encrypted.ciphertext);
  });

  test('does not decrypt for another user, or after a bit flip', () => {
    const cipher = createTokenCipher([NEW]);
    const encrypted = cipher.encrypt('EAAB-token', 'platform_token:7');
    expect(cipher.decrypt(encrypted, 'platform_token:8')).toBeNull();
    const broken = Buffer.from(encrypted.ciphertext);
    broken[14] = (broken[14] ?? 0) ^ 1;
    expect(cipher.decrypt({ ...encrypted, ciphertext: broken }, 'platform_token:7')).toBeNull();
    expect(cipher.decrypt({ ...encrypted, ciphertext: Buffer.from('short') }, 'platform_token:7')).toBeNull();
  });

  test('a new key encrypts while the old one still decrypts', () => {
    const before = createTokenCipher([OLD]).encrypt('EAAB-token', 'c');
    const both = createTokenCipher([NEW, OLD]);
    expect(both.decrypt(before, 'c')).toBe('EAAB-token');
    expect(both.encrypt('x', 'c').keyId).not.toBe(before.keyId);
    expect(createTokenCipher([NEW]).decrypt(before, 'c')).toBeNull();
    expect([both, createTokenCipher([NEW])].map(({ keyIds }) => keyIds.includes(before.keyId))).toEqual([
      true,
      false,
    ]);
  });

  test('fingerprints use a derived key of their own', () => {
    const encryption = Buffer.from(hkdfSync('sha256', NEW, 'smartpause', 'platform tokens', 32));
    const [made] = createTokenCipher([NEW]).fingerprints('user 1');
    expect(made).not.toEqual(createHmac('sha256', encryption).update('user 1').digest());
  });

  test('a fingerprint still matches after a key rotation', () => {
    const before = createTokenCipher([OLD]).fingerprints('user 1')[0];
    expect(createTokenCipher([NEW, OLD]).fingerprints('user 1')[1]).toEqual(before);
  });
});

test('secrets are long and unique, and their hash differs from them', () => {
  const [a, b] = [newSecret(), newSecret()];
  expect(a).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(a).not.toBe(b);
  expect(Buffer.from(hashSecret(a)).toString('base64url')).not.toBe(a);
});
