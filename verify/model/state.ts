import type { AccountUser } from '#core/reconciler/account.ts';
import type { CampaignWrite, Hold, Target } from '#core/reconciler/hold.ts';
import type { Level } from '#core/smartpause/level.ts';
import type { Random } from '../fixtures/random.ts';
import type { Platform } from './platform.ts';

/** The only campaign of a history. */
export const CAMPAIGN = 'c';

/** What the rules and the people of a history see. */
export interface HistoryState {
  readonly random: Random;
  readonly platform: Platform;
  readonly users: AccountUser[];
  readonly now: number;
  readonly hold: Hold | null;
  readonly write: CampaignWrite | null;
  stopTime: number | null;
  lookAt: number | null;
  say(line: string): void;
  setLevel(level: Level): void;
  startTest(user: AccountUser): void;
  /** @returns false while another wish is pending */
  wish(userId: string, status: Target): boolean;
}
