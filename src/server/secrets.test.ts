import { createHmac, hkdfSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createVault, hashSecret, newSecret } from './secrets.ts';

const OLD = 'an-old-key-of-at-least-32-characters!';
const NEW = 'a-new-key-of-at-least-32-characters!!';

describe('the vault', () => {
  test('opens what it sealed, and nothing of the text shows', () => {
    const vault = createVault([NEW]);
    const sealed = vault.seal('EAAB-token', 'platform_token:7');
    expect(Buffer.from(sealed.sealed).includes('EAAB')).toBe(false);
    expect(vault.open(sealed, 'platform_token:7')).toBe('EAAB-token');
    expect(vault.seal('EAAB-token', 'platform_token:7').sealed).not.toEqual(sealed.sealed);
  });

  test('does not open for another person, nor when a bit was changed', () => {
    const vault = createVault([NEW]);
    const sealed = vault.seal('EAAB-token', 'platform_token:7');
    expect(vault.open(sealed, 'platform_token:8')).toBeNull();
    const broken = Buffer.from(sealed.sealed);
    broken[14] = (broken[14] ?? 0) ^ 1;
    expect(vault.open({ ...sealed, sealed: broken }, 'platform_token:7')).toBeNull();
    expect(vault.open({ ...sealed, sealed: Buffer.from('short') }, 'platform_token:7')).toBeNull();
  });

  test('a new key seals while the old one still opens', () => {
    const before = createVault([OLD]).seal('EAAB-token', 'c');
    const both = createVault([NEW, OLD]);
    expect(both.open(before, 'c')).toBe('EAAB-token');
    expect(both.seal('x', 'c').keyId).not.toBe(before.keyId);
    expect(createVault([NEW]).open(before, 'c')).toBeNull();
    expect([both, createVault([NEW])].map(({ keyIds }) => keyIds.includes(before.keyId))).toEqual([
      true,
      false,
    ]);
  });

  test('a fingerprint is made with a key of its own', () => {
    const sealing = Buffer.from(hkdfSync('sha256', NEW, 'smartpause', 'platform tokens', 32));
    const [made] = createVault([NEW]).fingerprints('user 1');
    expect(made).not.toEqual(createHmac('sha256', sealing).update('user 1').digest());
  });

  test('a fingerprint is found again after a key was replaced', () => {
    const before = createVault([OLD]).fingerprints('user 1')[0];
    expect(createVault([NEW, OLD]).fingerprints('user 1')[1]).toEqual(before);
  });
});

test('secrets are long, never the same, and hashed to something else', () => {
  const [a, b] = [newSecret(), newSecret()];
  expect(a).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(a).not.toBe(b);
  expect(Buffer.from(hashSecret(a)).toString('base64url')).not.toBe(a);
});
