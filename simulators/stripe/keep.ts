import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { Account } from './account.ts';
import { API_VERSION } from './objects.ts';

interface Kept {
  version: string;
  offsetMs: number;
  facts: Partial<Account>;
}

/** Writes down all of the account, for `restoreAccount`. */
export function keepAccount(account: Account, file: string): void {
  const isFact = ([, value]: [string, unknown]) => value instanceof Map || value instanceof Set;
  const facts = Object.fromEntries(Object.entries(account).filter(isFact));
  const { clock, settings } = account;
  const kept = { version: API_VERSION, offsetMs: clock.offsetMs, facts: { ...facts, settings } };
  mkdirSync(dirname(file), { recursive: true });
  // Whoever ends it in the middle finds the former file.
  writeFileSync(`${file}.new`, serialize(kept), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** The account as it was kept; null: there is none, or it cannot be read. Endpoints are wiring, and wired anew. */
export function restoreAccount(file: string): Account | null {
  try {
    const kept = deserialize(readFileSync(file)) as Kept;
    if (kept.version !== API_VERSION) return null;
    const account = Object.assign(new Account(), kept.facts);
    account.clock.offsetMs = kept.offsetMs;
    for (const id of account.wiredEndpoints) {
      account.webhookEndpoints.delete(id);
      account.webhookSecrets.delete(id);
    }
    account.wiredEndpoints.clear();
    return account;
  } catch {
    return null;
  }
}
