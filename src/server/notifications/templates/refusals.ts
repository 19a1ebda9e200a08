import { RETRY_WORDS } from '#core/outages/activity-text.ts';
import type { PendingActivity } from '../../db/reports/notified-activities.ts';
import type { Facts } from '../facts.ts';
import type { Block } from '../render.ts';
import { shortMessage } from '../render.ts';

/** Meta's words, if it refused all of these with the same. */
export function sharedRefusal(acts: readonly PendingActivity[]): string | null {
  const refusals = acts.map(({ happened: { facts } }) => ('refusal' in facts ? facts.refusal : null));
  const [words = null, ...others] = new Set(refusals);
  return others.length === 0 ? words : null;
}

export function metaSays(words: string | null): string | null {
  return words === null ? null : `Meta says: “${shortMessage(words)}”.`;
}

/** Of campaigns whose refused resume is tried again. @param given.or what the user may do instead */
export function retriedCopy(
  facts: Facts,
  count: number,
  { words, who = '', or = '' }: { words: string | null; who?: string; or?: string },
): (Block | null)[] {
  return [
    `${who}${count === 1 ? 'It stays' : 'They stay'} paused until Meta accepts the resume.`,
    metaSays(words),
    `${RETRY_WORDS}. We’ll tell you when ${count === 1 ? 'it is' : 'they are'} resumed.`,
    retryNowCopy(facts, or),
  ];
}

/** @param or what the user may do instead */
export function retryNowCopy({ publicUrl }: Facts, or = ''): Block {
  const link = 'Retry now';
  return { sentence: `To try at once, press ${link} in SmartPause${or}.`, link, address: publicUrl };
}
