import type { AdAccount, Campaign } from '#contract/shapes.ts';
import { findByWords, wordsOf } from '../../lib/search-words.ts';

/** One result of the palette. */
export interface Target {
  id: string;
  label: string;
  /** The ad account of a campaign. */
  description?: string;
  to: string;
}

export interface TargetGroup {
  label: string;
  targets: readonly Target[];
  /** Found, but not shown. */
  more: number;
}

export interface Searched {
  pages: readonly { to: string; label: string }[];
  accounts: readonly AdAccount[];
  lists: readonly { account: AdAccount; campaigns: readonly Campaign[] }[];
}

const SHOWN_ACCOUNTS = 6;
const SHOWN_CAMPAIGNS = 10;

/** The pages, ad accounts and campaigns with every word of the query; without groups that have none. */
export function findTargets(query: string, { pages, accounts, lists }: Searched): TargetGroup[] {
  const words = wordsOf(query);
  const has = ({ label }: { label: string }): boolean => {
    const own = wordsOf(label).join(' ');
    return words.every((word) => own.includes(word));
  };
  const targetsOfPages = pages.map(({ to, label }) => ({ id: `page ${to}`, label, to })).filter(has);
  const targetsOfAccounts = accounts
    .map(({ id, name }) => ({ id: `account ${id}`, label: name, to: addressOf({ account: id }) }))
    .filter(has);
  const targetsOfCampaigns =
    words.length === 0 ? [] : lists.flatMap(({ account, campaigns }) => ofList(query, account, campaigns));
  return [
    groupOf('Pages', targetsOfPages, Infinity),
    groupOf('Ad accounts', targetsOfAccounts, SHOWN_ACCOUNTS),
    groupOf('Campaigns', targetsOfCampaigns, SHOWN_CAMPAIGNS),
  ].filter(({ targets }) => targets.length > 0);
}

function ofList(query: string, account: AdAccount, campaigns: readonly Campaign[]): Target[] {
  return findByWords(campaigns, wordsOf(query)).map(({ id, name }) => ({
    id: `campaign ${id}`,
    label: name,
    description: account.name,
    // The id finds exactly this campaign.
    to: addressOf({ account: account.id, q: id }),
  }));
}

function addressOf(change: { account: string; q?: string }): string {
  return `/?${new URLSearchParams(change).toString()}`;
}

function groupOf(label: string, targets: readonly Target[], shown: number): TargetGroup {
  return { label, targets: targets.slice(0, shown), more: Math.max(0, targets.length - shown) };
}
