import type { OutageCampaign } from '#contract/outage-api.ts';
import { resultLabel, whyNot } from './outage-copy.ts';

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

const HEADER = [
  'Campaign',
  'Campaign id',
  'Ad account',
  'Ad account id',
  'Result',
  'Why',
  'Detected (UTC)',
  'Decided (UTC)',
  'Pause sent (UTC)',
  'Paused (UTC)',
  'Resume sent (UTC)',
  'Resumed (UTC)',
  'Ended (UTC)',
];

interface Told {
  matchedAt: string | null;
  accounts: readonly { id: string; name: string }[];
  campaigns: readonly OutageCampaign[];
}

/** The campaigns of one outage, one line each. */
export function outageCsv({ matchedAt, accounts, campaigns }: Told): string {
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  const lines = campaigns.map((one) => [
    one.name,
    one.campaignId,
    names.get(one.accountId) ?? '',
    one.accountId,
    resultLabel(one),
    whyNot(one) ?? '',
    ...[
      one.result === 'not_paused' ? null : matchedAt,
      one.decidedAt,
      one.sentAt,
      one.pausedAt,
      one.resumeSentAt,
      one.resumedAt,
      one.endedAt,
    ].map((time) => time ?? ''),
  ]);
  return toCsv([HEADER, ...lines]);
}
