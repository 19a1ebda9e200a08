import { idCell, toCsv } from '#core/csv.ts';
import type { Cell } from '#core/csv.ts';
import { WHOLE_UNITS } from '#core/money.ts';
import type { Delivery } from '#core/spend/evidence.ts';
import { cpmOf } from '#core/spend/evidence.ts';
import type { Evidence } from '../../services/history/evidence.ts';
import { claimLabel, utcLabel } from './labels.ts';

type Campaign = Evidence['campaigns'][number];
type Account = Evidence['accounts'][number];

const COLUMNS: Record<string, (campaign: Campaign, account: Account | undefined) => Cell> = {
  Campaign: ({ name }) => name,
  'Campaign id': ({ campaignId }) => idCell(campaignId),
  'Ad account': (_, account) => account?.name ?? '',
  'Ad account id': ({ accountId }) => accountId,
  Result: ({ result }) => claimLabel(result),
  'Paused (UTC)': ({ pausedAt }) => utcLabel(pausedAt),
  'Resumed (UTC)': ({ resumedAt }) => utcLabel(resumedAt),
  Currency: (_, account) => account?.currency ?? '',
  'Spend in the outage': ({ inside }, account) => amount(inside?.spend ?? null, account),
  'Usual spend': ({ usual }, account) => amount(usual?.spend ?? null, account),
  'CPM in the outage': ({ inside }, account) => amount(cpm(inside), account),
  'Usual CPM': ({ usual }, account) => amount(cpm(usual), account),
};

/** One line for each campaign, for spreadsheets. */
export function evidenceCsv({ accounts, campaigns }: Evidence): string {
  const byId = new Map(accounts.map((one) => [one.id, one]));
  const lines = campaigns.map((one) =>
    Object.values(COLUMNS).map((read) => read(one, byId.get(one.accountId))),
  );
  return toCsv([Object.keys(COLUMNS), ...lines]);
}

function cpm(delivery: Delivery | null): number | null {
  return delivery === null ? null : cpmOf(delivery);
}

/** '50.25', without the currency; empty: not known. */
function amount(value: number | null, account: Account | undefined): string {
  if (value === null) return '';
  return WHOLE_UNITS.has(account?.currency ?? '') ? String(Math.round(value)) : (value / 100).toFixed(2);
}
