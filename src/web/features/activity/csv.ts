import type { OutageCampaign } from '#contract/outage-api.ts';
import type { Cell } from '#core/csv.ts';
import { idCell, toCsv } from '#core/csv.ts';
import { badgeOf, whyNot } from './outage-copy.ts';

interface Outage {
  matchedAt: string | null;
  accounts: readonly { id: string; name: string }[];
  campaigns: readonly OutageCampaign[];
}

/** The campaigns of one outage, one line each. */
export function outageCsv({ matchedAt, accounts, campaigns }: Outage): string {
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  const columns: Record<string, (campaign: OutageCampaign) => Cell | null | undefined> = {
    Campaign: ({ name }) => name,
    'Campaign id': ({ campaignId }) => idCell(campaignId),
    'Ad account': ({ accountId }) => names.get(accountId),
    'Ad account id': ({ accountId }) => accountId,
    Result: (campaign) => badgeOf(campaign).label,
    Why: whyNot,
    'Detected (UTC)': ({ result }) => (result === 'not_paused' ? null : matchedAt),
    'Decided (UTC)': ({ decidedAt }) => decidedAt,
    'Pause sent (UTC)': ({ sentAt }) => sentAt,
    'Paused (UTC)': ({ pausedAt }) => pausedAt,
    'Resume sent (UTC)': ({ resumeSentAt }) => resumeSentAt,
    'Resumed (UTC)': ({ resumedAt }) => resumedAt,
    'Ended (UTC)': ({ endedAt }) => endedAt,
  };
  const lines = campaigns.map((campaign) => Object.values(columns).map((read) => read(campaign) ?? ''));
  return toCsv([Object.keys(columns), ...lines]);
}
