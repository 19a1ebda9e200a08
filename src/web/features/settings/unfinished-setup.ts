import * as z from 'zod/mini';
import type { SettingsBody } from '#contract/shapes.ts';
import { settingsBody } from '#contract/shapes.ts';
import { UNFINISHED_SETUP_KEY } from '../../lib/storage-keys.ts';
import { lasting } from '../../lib/storage.ts';

/** The email may be incomplete. */
export type Draft = SettingsBody;

const stored = z.object({ user: z.string(), draft: z.extend(settingsBody, { email: z.string() }) });

/** What this user entered in a setup that they left; null: nothing. A logout removes it. */
export function readUnfinishedSetup(user: string): Draft | null {
  const text = lasting.read(UNFINISHED_SETUP_KEY);
  if (text === null) return null;
  try {
    const found = stored.parse(JSON.parse(text));
    return found.user === user ? found.draft : null;
  } catch {
    return null;
  }
}

export function keepUnfinishedSetup(user: string, draft: Draft): void {
  lasting.write(UNFINISHED_SETUP_KEY, JSON.stringify({ user, draft }));
}

export function dropUnfinishedSetup(): void {
  lasting.drop(UNFINISHED_SETUP_KEY);
}
