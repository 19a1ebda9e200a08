import type { OutageCampaign } from '#contract/outage-api.ts';
import { badgeOf, whyNot } from './outage-copy.ts';

/** A spreadsheet runs a cell that begins with one of these as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** One cell by RFC 4180. */
function cell(value: string): string {
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Spreadsheets take a file for UTF-8 only with a byte order mark. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
}

interface Outage {
  matchedAt: string | null;
  accounts: readonly { id: string; name: string }[];
  campaigns: readonly OutageCampaign[];
}

/** The campaigns of one outage, one line each. */
export function outageCsv({ matchedAt, accounts, campaigns }: Outage): string {
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  const columns: Record<string, (campaign: OutageCampaign) => string | null | undefined> = {
    Campaign: ({ name }) => name,
    'Campaign id': ({ campaignId }) => campaignId,
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
