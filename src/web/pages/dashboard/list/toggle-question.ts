import type { Campaign } from '#contract/shapes.ts';
import { isDelivered } from '../../../text/campaign-view.ts';

/** What to ask before a toggle: it would strand a held campaign, or pause a running one at once. */
export type ToggleQuestion = 'off_while_held' | 'on_during_match';

interface Toggled {
  campaign: Pick<Campaign, 'status' | 'undelivered'>;
  enabled: boolean;
  isHeld: boolean;
  /** The status meets the user's threshold now. */
  isMatched: boolean;
}

export function questionBefore({ campaign, enabled, isHeld, isMatched }: Toggled): ToggleQuestion | null {
  if (!enabled) return isHeld ? 'off_while_held' : null;
  return isMatched && isDelivered(campaign) ? 'on_during_match' : null;
}
