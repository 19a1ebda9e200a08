import type { AdAccount, PlatformStatus, UserStatus } from '#contract/shapes.ts';
import { namesLabel } from '#core/labels.ts';
import type { Instant } from '#core/time.ts';
import type { Act } from '../banners/banner.ts';
import type { PageFacts } from '../banners/page-banners.ts';
import type { Protection, Unable } from './protection.ts';

export interface BannerFacts extends PageFacts {
  now: Instant;
  /** Null: not loaded yet. */
  status: PlatformStatus | null;
  /** Undefined: not loaded; a banner that depends on the settings waits. */
  user: UserStatus | undefined;
  accounts: readonly AdAccount[];
  isSetUp: boolean;
  /** Null: the user has a subscription; else where to get one. */
  plansAt: '/payment' | '/settings#billing' | null;
  /** Null: the trial does not end soon. */
  trial: { days: number; text: string } | null;
  /** The server has the history of outages. */
  hasActivity: boolean;
}

/** Why an outage would pause nothing at all for this user. */
export function unableOf({
  user,
  access,
  leaving,
  isSetUp,
  plansAt,
}: Pick<BannerFacts, 'user' | 'access' | 'leaving' | 'isSetUp' | 'plansAt'>): Unable {
  if (user?.isSuspended === true) return 'suspended';
  if (access === 'expired') return 'access';
  if (leaving !== null) return 'leaving';
  if (plansAt !== null) return 'no_subscription';
  return isSetUp ? null : 'not_set_up';
}

/** Of a banner that names the refused access; the banner of the access has a button itself. */
export const RECONNECT: Act = { act: 'log_in', label: 'Reconnect to Meta' };

export function notCounted({ unread }: Protection): string[] {
  return unread.length === 0 ? [] : [`Not counted: ${namesLabel(unread)}, no current list from Meta.`];
}
