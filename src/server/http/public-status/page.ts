import type { Day, Incident } from '#core/outages/incident.ts';
import type { Level } from '#core/smartpause/level.ts';
import { LEVELS } from '#core/smartpause/level.ts';
import { LEVEL_WORDS, counted, durationLabel } from '#core/labels.ts';
import { utcWithNewYork } from '#core/new-york.ts';
import type { Instant } from '#core/time.ts';
import { minutes } from '#core/time.ts';
import type { PublicStatus } from '../../services/status/public-status.ts';
import { escapeHtml } from '#core/escape-html.ts';
import { dayLabel, textOf } from './incident-text.ts';
import { STYLE, fontFace } from './style.ts';

export interface Surroundings {
  publicUrl: string;
  /** Elements for the head of the document that name built files: the icon and the font. */
  icon: string;
  fontUrl: string | null;
  /** Empty outside demo mode. */
  banner: string;
}

const TITLE = 'Meta ads status';
const NOTE = 'SmartPause is not affiliated with Meta. Times are UTC, with New York time (EST) beside it.';
const DESCRIPTION =
  'The current level of Meta’s ad delivery and APIs, the last 90 days, and known incidents with their sources.';

/** The public status page: complete without a script. */
export function statusDocument(
  status: PublicStatus,
  { publicUrl, icon, fontUrl, banner }: Surroundings,
): string {
  const { level, days, incidents } = status;
  const headline = `Meta ad delivery: ${LEVEL_WORDS[level]}`;
  const url = escapeHtml(`${publicUrl}/status`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${TITLE} · SmartPause</title><meta name="description" content="${DESCRIPTION}"><link rel="canonical" href="${url}">
<meta property="og:title" content="${headline}"><meta property="og:description" content="${DESCRIPTION}"><meta property="og:url" content="${url}">
<link rel="alternate" type="application/feed+json" title="${TITLE}" href="${url}.json"><link rel="alternate" type="application/atom+xml" title="${TITLE}" href="${url}.atom">
${icon}<style>${fontUrl === null ? '' : fontFace(fontUrl)}${STYLE}</style></head>
<body>${banner}<a class="skip" href="#content">Skip to content</a>
<header><div class="wide"><a class="home" href="/" aria-label="SmartPause home">${LOGO}SmartPause</a><nav><a href="/">What is SmartPause?</a><a class="start" href="/payment">Start Free Trial</a></nav></div></header>
<main id="content" tabindex="-1" class="wide">
<h1>${shape(level)}<span>Meta ad delivery: <b class="${level}">${LEVEL_WORDS[level]}</b></span></h1>
${readLine(status)}${fallingNote(status)}${overrideNote(status)}${suspicionCard(status.warning)}
<div class="card">${componentTable(status)}${silentNote(status)}</div>
<h2 id="days">Last ${days.length} days of ad delivery</h2><div class="card">${dayChart(status)}${disruptedDays(status)}</div>
<div class="titled"><h2>Incidents</h2><span class="dim">Subscribe: <a href="/status.atom">Atom</a> · <a href="/status.json">JSON</a></span></div><div class="card"><ul class="incidents">${incidents.map(incidentItem).join('')}</ul></div>
<details class="method"><summary>How it is measured</summary>${howMeasured(status)}</details>
</main>
<footer><div class="wide"><span>${NOTE}</span>
<span><a href="/privacy-policy">Privacy Policy</a><a href="/terms-of-service">Terms of Service</a></span></div></footer>
</body></html>
`;
}

const LOGO =
  '<svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#3b53c4"/><rect x="9" y="9" width="4.5" height="14" rx="1.5" fill="#fff"/><path d="M18 9.9c0-.9 1-1.5 1.8-1L26 14.9c.7.5.7 1.6 0 2.1l-6.2 6c-.8.6-1.8 0-1.8-1z" fill="#fff"/></svg>';

function readLine({ checkedAt, level, since, override }: PublicStatus): string {
  if (checkedAt === null) return '<p class="dim">Meta’s status page has not been read yet.</p>';
  if (level === 'UNKNOWN' || since === null || override !== null)
    return `<p class="dim">Last read ${timeElement(checkedAt)}</p>`;
  const [read = ''] = utcWithNewYork(checkedAt).split(' (');
  const day = utcWithNewYork(since).split(', ').slice(0, 2).join(', ');
  const lastRead = timeElement(checkedAt, read.replace(`${day}, `, ''));
  return `<p class="dim dots"><span>Since ${timeElement(since)}</span><span>${lengthText(checkedAt - since)}</span><span>last read ${lastRead}</span></p>`;
}

/** Beside a level that has not fallen yet. */
function fallingNote({ falling }: PublicStatus): string {
  if (falling === null) return '';
  return `<p class="card note">Meta’s page now says “${escapeHtml(falling)}”. The level falls when a second reading confirms it.</p>`;
}

function overrideNote({ override }: PublicStatus): string {
  if (override === null) return '';
  return `<p class="card note">SmartPause’s team has set the level to ${LEVEL_WORDS[override].toLowerCase()}. SmartPause pauses and resumes campaigns by that level.</p>`;
}

/** Apart from the level, which is Meta's. */
function suspicionCard(warning: PublicStatus['warning']): string {
  if (warning === null) return '';
  const since = timeElement(warning.since);
  return `<section class="card note" aria-labelledby="suspicion"><h2 id="suspicion">SmartPause suspects an outage</h2><p>${escapeHtml(warning.evidence)}</p><p class="dim">Suspected since ${since}. This isn’t from Meta, and some suspicions are false.</p></section>`;
}

/** @param heads a text of columns that a phone has no room for begins with '*' */
function table(heads: string[], rows: string[][]): string {
  const cell = (tag: string, index: number, text: string) =>
    `<${tag}${heads[index]?.startsWith('*') === true ? ' class="wordy"' : ''}>${text}</${tag.slice(0, 2)}>`;
  const head = heads.map((text, index) => cell('th scope="col"', index, text.replace('*', '')));
  const body = rows.map((texts) => {
    const cells = texts.map((text, index) => cell(index === 0 ? 'th scope="row"' : 'td', index, text));
    return `<tr>${cells.join('')}</tr>`;
  });
  return `<table><thead><tr>${head.join('')}</tr></thead><tbody>${body.join('\n')}</tbody></table>`;
}

function componentTable({ components, falling }: PublicStatus): string {
  if (components.length === 0) return '<p>Meta’s status page has not been read yet.</p>';
  const rows = components.map(({ name, product, level, said: [words = ''], isWatched }) => [
    escapeHtml(name) + (isWatched ? '<br><span class="tag">SmartPause acts on this</span>' : ''),
    product === name ? '–' : escapeHtml(product),
    levelMark(level ?? 'UNKNOWN'),
    // Until the level falls, these are the words of an earlier reading.
    falling === null ? escapeHtml(words) : '',
  ]);
  return table(['Component', '*Product', 'Level', '*Meta’s words'], rows);
}

function silentNote({ silentIncidents }: PublicStatus): string {
  return silentIncidents.map((text) => `<p class="dim">${escapeHtml(text)}</p>`).join('');
}

/** Taller is worse, so that the chart reads without colour. */
const HEIGHTS: Record<Level, number> = {
  UNKNOWN: 8,
  UP: 40,
  LOW_DISRUPTION: 60,
  MEDIUM_DISRUPTION: 80,
  HIGH_DISRUPTION: 100,
};

function recordNote({ days, recordedSince }: PublicStatus): string {
  if (recordedSince === null) return 'SmartPause has no record of these days yet.';
  const [first, ...later] = days.filter(({ to }) => to > recordedSince);
  const before = days.length - later.length - 1;
  if (first === undefined || before === 0) return '';
  if (later.length === 0 && days.every((day) => day === first || day.level === 'UNKNOWN'))
    return `The record starts today. No incident was published for the ${counted(before, 'day')} before.`;
  return `This record begins on ${dayLabel(first.from)}. Of the days before, only published incidents are known.`;
}

function dayChart(status: PublicStatus): string {
  const { days } = status;
  const bars = days.map((day, index) => {
    const { from, level } = day;
    const height = HEIGHTS[level];
    return `<rect class="${level}" x="${index * 10 + 1}" y="${100 - height}" width="8" height="${height}"><title>${dayLabel(from)}: ${dayText(day)}</title></rect>`;
  });
  const shown = LEVELS.filter((level) => days.some((day) => day.level === level));
  const key = shown.map((level) => `<li>${levelMark(level, keyText(level, days))}</li>`);
  const ends = [days[0], days.at(-1)].map(
    (day) => `<span>${day === undefined ? '' : dayLabel(day.from)}</span>`,
  );
  const note = recordNote(status);
  const isEmpty = days.every(({ level }) => level === 'UNKNOWN');
  const [look, box] = isEmpty ? ['bars empty', [92, 8]] : ['bars', [0, 100]];
  return `<p class="dim">${note} Days in New York.</p><svg class="${look}" viewBox="0 ${box[0]} ${days.length * 10} ${box[1]}" preserveAspectRatio="none" role="img" aria-labelledby="days">${bars.join('')}</svg>
<div class="ends dim">${ends.join('')}</div>
<ul class="key" aria-label="Days by worst level">${key.join('')}</ul>`;
}

function keyText(level: Level, days: readonly Day[]): string {
  const count = counted(days.filter((day) => day.level === level).length, 'day');
  return level === 'UNKNOWN' ? `No record: ${count}` : `${LEVEL_WORDS[level]}: ${count}`;
}

function dayText(day: Day): string {
  const { level } = day;
  if (level === 'UNKNOWN') return 'no record';
  if (level === 'UP') return 'no disruption';
  return `${LEVEL_WORDS[level].toLowerCase()}, ${disruptedFor(day)}`;
}

function disruptedFor({ disruptedMs, isEndUnknown }: Day): string {
  if (!isEndUnknown) return lengthText(disruptedMs);
  return disruptedMs === 0 ? 'for an unknown time' : `at least ${lengthText(disruptedMs)}`;
}

/** Readings are seconds apart, so a shorter time means nothing. */
function lengthText(ms: number): string {
  return ms < minutes(1) ? 'under 1 min' : durationLabel(ms);
}

function disruptedDays({ days, incidents }: PublicStatus): string {
  const isOpen = incidents.some((one) => one.isWatched && one.isOpen);
  const rows = days
    .filter(({ disruptedMs, isEndUnknown }) => disruptedMs > 0 || isEndUnknown)
    .toReversed()
    .map((day) => [
      dayLabel(day.from),
      levelMark(day.level, LEVEL_WORDS[day.level].replace(' disruption', '')),
      `${disruptedFor(day)}${isOpen && day === days.at(-1) ? ' so far' : ''}`,
    ]);
  if (rows.length === 0) return '';
  return `<details><summary>Days with a disruption as a table</summary>${table(['Day', 'Worst level', 'Duration'], rows)}</details>`;
}

function incidentItem(incident: Incident): string {
  const { id, title, day, lasted, facts } = textOf(incident);
  const list = facts.map(({ label, text }) => `<div><dt>${label}</dt><dd>${factText(text)}</dd></div>`);
  return `<li${incident.isOpen ? ' data-open' : ''}><details${incident.isOpen ? ' open' : ''}><summary><h3>${levelMark(incident.peak, title)}<span class="dim">${day} · ${lasted}</span></h3></summary><dl id="${id}">${list.join('')}</dl></details></li>`;
}

const SOURCE = 'adstatus.app';

/** A source whose name is its address is a link. UTC and New York's time are two lines, each whole. */
function factText(text: string): string {
  if (text === SOURCE) return `<a href="https://${SOURCE}/">${SOURCE}</a>`;
  return text.endsWith(' EST)') ? inLines(text) : escapeHtml(text);
}

function howMeasured({ pollSeconds, recordedSince }: PublicStatus): string {
  const since =
    recordedSince === null
      ? ''
      : ` This record starts on ${dayLabel(recordedSince)}; earlier days show only incidents that others have published.`;
  return `<p>SmartPause reads Meta’s public status page every ${counted(pollSeconds, 'second')} and stores each change.${since}</p>
<p>Meta’s page is often late: documented delays are 17 to 47 minutes. This page shows what Meta’s page says, not what advertisers notice. What SmartPause suspects by itself stands apart.</p>
<p>A component has the worse of its own line and its open outages. An outage without a post for 12 hours beside a clean line no longer counts. A text that SmartPause does not understand counts as unknown, never as up. While the page cannot be read, a day keeps its last known level.</p>
<p>Certainty is high for readings of Meta’s page and for two independent sources with times, otherwise medium or low. Unknown times are left out.</p>
<p>EST stands for New York’s time all year, although it is an hour ahead in summer (EDT). UTC is exact.</p>`;
}

/** The shapes of src/web/features/status/status-mark.tsx. */
const SHAPES: Record<Level, string> = {
  UP: '<circle cx="8" cy="8" r="6"/>',
  LOW_DISRUPTION: '<path d="M8 1.6 15 14H1z"/>',
  MEDIUM_DISRUPTION: '<path d="M8 .8 15.2 8 8 15.2.8 8z"/>',
  HIGH_DISRUPTION: '<path d="M5 .8h6L15.2 5v6L11 15.2H5L.8 11V5z"/>',
  UNKNOWN:
    '<circle cx="8" cy="8" r="5.8" fill="none" stroke="currentColor" stroke-width="2.2" stroke-dasharray="3.2 2.87"/>',
};

function shape(level: Level): string {
  return `<svg class="${level}" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">${SHAPES[level]}</svg>`;
}

function levelMark(level: Level, words = LEVEL_WORDS[level]): string {
  return `<span class="level">${shape(level)}<span>${escapeHtml(words)}</span></span>`;
}

/** On a narrow screen UTC and New York's time are two lines, each whole. */
function timeElement(at: Instant, words = utcWithNewYork(at)): string {
  return `<time datetime="${new Date(at).toISOString()}">${inLines(words)}</time>`;
}

function inLines(words: string): string {
  return `<span>${escapeHtml(words).replace(' (', '</span> <span>(')}</span>`;
}
