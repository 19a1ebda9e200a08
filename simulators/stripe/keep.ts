import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { Account } from './account.ts';
import { API_VERSION } from './objects.ts';

/** Changes with the shape of an account. */
const VERSION = `${API_VERSION}/4`;

interface Kept {
  version: string;
  offsetMs: number;
  facts: Partial<Account>;
}

/** Writes the account to a file, for `restoreAccount`. */
export function keepAccount(account: Account, file: string): void {
  const isFact = ([, value]: [string, unknown]) => value instanceof Map || value instanceof Set;
  const facts = Object.fromEntries(Object.entries(account).filter(isFact));
  const { clock, settings } = account;
  const kept = { version: VERSION, offsetMs: clock.offsetMs, facts: { ...facts, settings } };
  mkdirSync(dirname(file), { recursive: true });
  // An interrupted write keeps the previous file.
  writeFileSync(`${file}.new`, serialize(kept), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Null: no readable file. Endpoints of the control API are not restored: they register again. */
export function restoreAccount(file: string): Account | null {
  try {
    const kept = deserialize(readFileSync(file)) as Kept;
    if (kept.version !== VERSION) return null;
    const account = Object.assign(new Account(), kept.facts);
    account.clock.offsetMs = kept.offsetMs;
    for (const [id, { isFromControl }] of account.webhooks) if (isFromControl) account.webhooks.delete(id);
    return account;
  } catch {
    return null;
  }
}
