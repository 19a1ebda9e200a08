import type { AdAccount, Campaign } from '#contract/shapes.ts';
import type { Action, Pending } from '../changes/actions.ts';

export interface CampaignRowProps {
  account: AdAccount;
  campaign: Campaign;
  /** The list is that of several ad accounts. */
  showsAccount: boolean;
  smartPauseActive: boolean;
  /** The server has this call (UX-20). */
  hasResumeNow: boolean;
  /** SmartPause would pause campaigns of this user in an outage. */
  isAble: boolean;
  /** The outage is now. */
  isMatched: boolean;
  /** 'resumes 5 minutes after the outage ends', for a held campaign. */
  resumes: string;
  allowed: readonly Action[];
  selected: boolean;
  /** The change in progress; null: none. */
  current: Pending | null;
  /** Like the others a stable function, or all rows render again. */
  onChange: (action: Action, campaign: Campaign) => void;
  onSelect: (campaignId: string) => void;
  onMenu: (campaignId: string) => void;
  /** Opens the history of the campaign. Null: the server has no history. */
  onWhy: ((campaignId: string) => void) | null;
}
