import { escapeHtml } from '#core/escape-html.ts';
import { LEVEL_WORDS, counted, durationLabel, figure } from '#core/labels.ts';
import { fullTimeWithUtc } from '#core/new-york.ts';
import { SPEND_DAYS } from '#core/periods.ts';
import { COMPARED_WEEKS, sumUp } from '#core/spend/evidence.ts';
import type { Delivery } from '#core/spend/evidence.ts';
import type { StoredStatusFile } from '../../db/status/status-files.ts';
import type { Evidence } from '../../services/history/evidence.ts';
import { plainPage } from '../plain-page.ts';
import { claimLabel, cpmLabel, spendLabel, utcLabel } from './labels.ts';

/** Longer answers of the status page are cut; their checksum is of all of it. */
const ANSWER_MOST = 6000;
const NONE = '–';

/** One outage for a refund claim: complete on paper and without a script. */
export function evidenceDocument(
  evidence: Evidence,
  answers: readonly StoredStatusFile[],
  csvPath: string,
): string {
  const { startedAt, user, now, until } = evidence;
  return plainPage(
    `Meta outage of ${utcLabel(startedAt).slice(0, 10)}: evidence`,
    `<p>Recorded by SmartPause for ${escapeHtml(user)}, written at ${utcLabel(now)} UTC. SmartPause is not affiliated with Meta.</p>
<p class="screen">Print or save this page now: its address works until ${fullTimeWithUtc(until)}. <a href="${csvPath}" download>Download the campaigns as CSV</a></p>
${outageSection(evidence)}${saidSection(evidence)}${accountsSection(evidence)}${campaignsSection(evidence)}${METHOD}${filesSection(answers)}`,
  );
}

function outageSection({ startedAt, endedAt, peak, levels, now }: Evidence): string {
  const facts = [
    ['Began', fullTimeWithUtc(startedAt)],
    ['Ended', endedAt === null ? 'Not over' : fullTimeWithUtc(endedAt)],
    ['Lasted', durationLabel((endedAt ?? now) - startedAt)],
    ['Worst level', LEVEL_WORDS[peak]],
  ];
  const list = facts.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join('');
  const rows = levels.map(({ at, level }) => [utcLabel(at), LEVEL_WORDS[level]]);
  return `<h2>The outage</h2><dl>${list}</dl>${table('Level over time', ['Since (UTC)', 'Level'], rows)}`;
}

function saidSection({ said }: Evidence): string {
  const rows = said.map(({ at, message }) => [utcLabel(at), escapeHtml(message)]);
  if (rows.length === 0) return '';
  return `<h2>What Meta’s status page said</h2>${table('Meta’s words', ['Read at (UTC)', 'In Meta’s words'], rows)}`;
}

interface Total {
  inside: Delivery[];
  usual: Delivery[];
}

/** Each ad account with the sum of its campaigns of which both are known: amounts of two currencies are never added. */
function accountsSection({ accounts, campaigns }: Evidence): string {
  const totals = new Map<string, Total>();
  for (const { accountId, inside, usual } of campaigns) {
    if (inside === null || usual === null) continue;
    const total = totals.get(accountId) ?? { inside: [], usual: [] };
    total.inside.push(inside);
    total.usual.push(usual);
    totals.set(accountId, total);
  }
  const rows = accounts.map(({ id, name, currency, timeZone }) => {
    const total = totals.get(id);
    const [inside, usual] = total === undefined ? [null, null] : [sumUp(total.inside), sumUp(total.usual)];
    const count = figure(total?.inside.length ?? 0);
    return [escapeHtml(name), id, currency, timeZone ?? NONE, count, ...amounts({ inside, usual }, currency)];
  });
  const heads = ['Ad account', 'Id', 'Currency', 'Time zone', 'Campaigns compared', ...AMOUNTS];
  return `<h2>Ad accounts</h2>${table('Ad accounts', heads, rows)}`;
}

const AMOUNTS = ['Spend', 'Usual spend', 'CPM', 'Usual CPM'];

function amounts(of: Record<'inside' | 'usual', Delivery | null>, currency: string | undefined): string[] {
  return [
    spendLabel(of.inside, currency),
    spendLabel(of.usual, currency),
    cpmLabel(of.inside, currency),
    cpmLabel(of.usual, currency),
  ].map((label) => (label === '' ? NONE : label));
}

function campaignsSection({ accounts, campaigns }: Evidence): string {
  const currencies = new Map(accounts.map(({ id, currency }) => [id, currency]));
  const rows = campaigns.map((one) => [
    escapeHtml(one.name),
    one.campaignId,
    one.accountId,
    claimLabel(one.result),
    utcLabel(one.pausedAt) || NONE,
    utcLabel(one.resumedAt) || NONE,
    ...amounts(one, currencies.get(one.accountId)),
  ]);
  const heads = [
    'Campaign',
    'Id',
    'Ad account',
    'What SmartPause did',
    'Paused (UTC)',
    'Resumed (UTC)',
    ...AMOUNTS,
  ];
  return `<h2>${counted(rows.length, 'campaign')}</h2>${table('Campaigns', heads, rows)}`;
}

const METHOD = `<h2>Method</h2>
<p>SmartPause reads Meta’s status page every few seconds and stores what it says. The outage lasts from the first level above “no disruptions” until Meta reports none again.</p>
<p>Pauses and resumes are those that Meta confirmed, at the times of our clock.</p>
<p>Spend and impressions come from Meta’s Insights API, by hour of the ad account’s time zone. They are as Meta last gave them. “Spend” and “CPM” are of all hours that the outage touches, also their parts before and after it. “Usual” is the mean of the same hours of the ${COMPARED_WEEKS} weeks before. Weeks with another outage in these hours are left out. CPM is the cost of 1,000 impressions.</p>
<p>“${NONE}” means not known: hourly spend is read for campaigns with SmartPause on, and kept for ${SPEND_DAYS} days.</p>`;

function filesSection(files: readonly StoredStatusFile[]): string {
  if (files.length === 0) return '';
  const items = files.map(({ path, firstAt, lastAt, sha256, body }) => {
    const cut =
      body.length > ANSWER_MOST
        ? `, the first ${figure(ANSWER_MOST)} of ${figure(body.length)} characters`
        : '';
    return `<h3>${escapeHtml(path)}</h3><p class="dim">Read from ${utcLabel(firstAt)} to ${utcLabel(lastAt)} UTC${cut}. SHA-256 ${sha256}</p><pre>${escapeHtml(body.slice(0, ANSWER_MOST))}</pre>`;
  });
  return `<h2>Stored answers of Meta’s status page</h2>${items.join('')}`;
}

/** Amounts stand below each other. */
const sideOf = (head = '') => (AMOUNTS.includes(head) ? ' class="num"' : '');

/** @param rows of HTML */
function table(
  name: string,
  heads: readonly string[],
  rows: readonly (readonly (string | undefined)[])[],
): string {
  const head = heads.map((one) => `<th scope="col"${sideOf(one)}>${one}</th>`).join('');
  const cells = (row: (typeof rows)[number]) =>
    row.map((cell, at) => `<td${sideOf(heads[at])}>${cell ?? ''}</td>`).join('');
  const body = rows.map((row) => `<tr>${cells(row)}</tr>`).join('\n');
  return `<div class="wide" role="region" aria-label="${name}" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}
