import type { Campaign } from '#contract/shapes.ts';
import type { Filters, SmartPauseFilter, StatusFilter } from './list-address.ts';

/** By the campaign as it was read: it is the same object for as long as nothing in it changes. */
const searchTexts = new WeakMap<Campaign, string>();

/** Those that pass all filters, in the order given. Every word of the search is in the name, or in the id. */
export function findCampaigns(campaigns: readonly Campaign[], filters: Filters): readonly Campaign[] {
  const words = fold(filters.q)
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0 && filters.status === 'all' && filters.smartpause === 'all') return campaigns;
  return campaigns.filter(
    (campaign) =>
      hasStatus(campaign, filters.status) &&
      hasSmartPause(campaign, filters.smartpause) &&
      words.every((word) => searchText(campaign).includes(word)),
  );
}

function hasStatus({ status }: Campaign, wanted: StatusFilter): boolean {
  switch (wanted) {
    case 'all':
      return true;
    case 'active':
      return status === 'ACTIVE';
    case 'paused':
      return status === 'PAUSED';
    case 'other':
      return status !== 'ACTIVE' && status !== 'PAUSED';
  }
}

function hasSmartPause({ smartPauseSetting }: Campaign, wanted: SmartPauseFilter): boolean {
  switch (wanted) {
    case 'all':
      return true;
    case 'on':
      return smartPauseSetting === 'ON';
    case 'off':
      return smartPauseSetting === 'OFF';
    case 'disabled':
      return smartPauseSetting === 'DEACTIVATED';
  }
}

function searchText(campaign: Campaign): string {
  const known = searchTexts.get(campaign);
  if (known !== undefined) return known;
  const text = `${fold(campaign.name)} ${campaign.id}`;
  searchTexts.set(campaign, text);
  return text;
}

/** 'Ete' finds 'Été'. */
function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
