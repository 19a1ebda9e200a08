import type { Campaign } from '#contract/shapes.ts';
import { findByWords, wordsOf } from '../../../lib/search-words.ts';
import type { Filters, SmartPauseFilter, StatusFilter } from '../list-address.ts';

/** Keeps the given order. Every search word must be in the name, or in the id if it is long enough. */
export function findCampaigns(campaigns: readonly Campaign[], filters: Filters): readonly Campaign[] {
  const words = wordsOf(filters.q);
  if (words.length === 0 && filters.status === 'all' && filters.smartpause === 'all') return campaigns;
  return findByWords(campaigns, words).filter(
    (campaign) => HAS_STATUS[filters.status](campaign.status) && hasSmartPause(campaign, filters.smartpause),
  );
}

const HAS_STATUS: Record<StatusFilter, (status: string) => boolean> = {
  all: () => true,
  active: (status) => status === 'ACTIVE',
  paused: (status) => status === 'PAUSED',
  other: (status) => status !== 'ACTIVE' && status !== 'PAUSED',
};

const SETTINGS = { on: 'ON', off: 'OFF', disabled: 'DEACTIVATED' } as const;

function hasSmartPause({ smartPauseSetting, held }: Campaign, wanted: SmartPauseFilter): boolean {
  if (wanted === 'paused') return held === true;
  return wanted === 'all' || smartPauseSetting === SETTINGS[wanted];
}
