import type { Instant } from '#core/time.ts';
import type { HeldCampaign, PendingActivity } from '../../db/reports/notified-activities.ts';
import type { Outage } from '#core/smartpause/outage.ts';
import type { StatusRow } from '../../db/status/status.ts';
import type { User } from '../../db/users/users.ts';
import type { StoredToken } from '../../db/users/tokens.ts';

/** What is true for a user when a notification is written. */
export interface Facts {
  publicUrl: string;
  now: Instant;
  user: User;
  /** When the last notification of the kind was written; null: never. */
  lastAt: Instant | null;
  /** What the notification reports, oldest first. */
  acts: readonly PendingActivity[];
  /** Counts campaigns with a pause or resume of the notification's kind that is decided and not done yet. */
  unfinished: number;
  /** Campaigns that SmartPause has paused. */
  held: readonly HeldCampaign[];
  status: StatusRow;
  /** The one in which the first of them began. */
  outage: Outage | null;
  token: StoredToken | null;
  /** The Stripe subscription renews, or existed; null: it never did. */
  subscribed: 'renews' | 'was' | null;
  /** Of a deletion that was asked for on Meta. */
  confirmationCode: string | null;
}
