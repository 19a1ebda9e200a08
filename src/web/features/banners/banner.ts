import type { HeldAccount } from '#contract/shapes.ts';
import type { Level } from '#core/smartpause/level.ts';
import type { Instant } from '#core/time.ts';

/** In the order of the page: another one is a row here, and an entry of `bannersOf` or `pageBanners`. */
const KINDS = [
  'suspended',
  'address',
  'outage',
  'leaving',
  'access',
  'status',
  'resume',
  'held',
  'protection',
  'not_protected',
  'trial',
] as const;

/** What the user can do about it. */
export type Act =
  | { act: 'protect_all'; label: string }
  | { act: 'choose' | 'show_held' }
  | { act: 'resume_now'; accounts: readonly HeldAccount[] }
  | { act: 'log_in'; label: string }
  | { act: 'visit'; to: string; label: string }
  | { act: 'leave'; href: string; label: string };

export interface Banner {
  kind: (typeof KINDS)[number];
  tone: 'red' | 'orange' | 'yellow' | 'blue' | 'green' | 'gray';
  /** The answer in plain words, larger than all else. */
  headline?: string;
  level?: Level;
  /** '36' 'paused'. */
  figures?: readonly { value: string; label: string }[];
  title?: string;
  sentences: readonly string[];
  /** Said before the sentences. */
  resumeAt?: Instant;
  acts: readonly Act[];
  /** Since when the status is as it is, and when it was read: below a disruption, or in place of one. */
  times?: 'disrupted' | 'up';
  isDismissible?: true;
}

export function inOrder(banners: readonly (Banner | null)[]): Banner[] {
  const shown = banners.filter((banner) => banner !== null);
  return shown.toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
}
