import type { Campaign } from '#contract/shapes.ts';
import type { Filters, SmartPauseFilter, StatusFilter } from '../list-address.ts';

/** By the campaign as it was read: it is the same object for as long as nothing in it changes. */
const foldedNames = new WeakMap<Campaign, string>();

/** Fewer digits than this are in far too many ids. */
const ID_PART = 5;

/** Those that pass all filters, in the order given. Every word of the search is in the name, or a good part of the id. */
export function findCampaigns(campaigns: readonly Campaign[], filters: Filters): readonly Campaign[] {
  const words = fold(filters.q)
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0 && filters.status === 'all' && filters.smartpause === 'all') return campaigns;
  return campaigns.filter(
    (campaign) =>
      hasStatus(campaign, filters.status) &&
      hasSmartPause(campaign, filters.smartpause) &&
      words.every((word) => isIn(campaign, word)),
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

function isIn(campaign: Campaign, word: string): boolean {
  return foldedName(campaign).includes(word) || (word.length >= ID_PART && campaign.id.includes(word));
}

function foldedName(campaign: Campaign): string {
  const known = foldedNames.get(campaign);
  if (known !== undefined) return known;
  const name = fold(campaign.name);
  foldedNames.set(campaign, name);
  return name;
}

/** 'Ete' finds 'Été'. */
function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
