import type { Campaign } from '#contract/shapes.ts';
import { findByWords } from '../../lib/search-words.ts';

/** What the list can show, and which campaigns that are. */
export const FILTERS = {
  all: { label: 'All campaigns', passes: () => true },
  active: { label: 'Active', passes: ({ status }) => status === 'ACTIVE' },
  unprotected: {
    label: 'Active, not protected',
    passes: ({ status, smartPauseSetting }) => status === 'ACTIVE' && smartPauseSetting !== 'ON',
  },
  paused: { label: 'Paused', passes: ({ status }) => status === 'PAUSED' },
  held: { label: 'Paused by SmartPause', passes: ({ held }) => held === true },
  on: { label: 'SmartPause on', passes: ({ smartPauseSetting }) => smartPauseSetting === 'ON' },
  disabled: {
    label: 'SmartPause disabled',
    passes: ({ smartPauseSetting }) => smartPauseSetting === 'DEACTIVATED',
  },
} satisfies Record<string, { label: string; passes: (campaign: Campaign) => boolean }>;

export type Filter = keyof typeof FILTERS;

/** The campaigns that pass the filter, in the given order. Every search word must be in the name or the id. */
export function findCampaigns(
  campaigns: readonly Campaign[],
  filter: Filter,
  text: string,
): readonly Campaign[] {
  return findByWords(campaigns, text).filter(FILTERS[filter].passes);
}
