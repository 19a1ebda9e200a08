import type { Faults } from '../kit/faults.ts';
import { controlButton, escapeHtml, framePage } from '../kit/page.ts';
import type { RequestLog } from '../kit/request-log.ts';
import { INCIDENTS } from './incidents.ts';
import { OK } from './orgs.ts';
import type { Org, Outage, StatusState } from './state.ts';
import { isOver } from './state.ts';

const PHRASES = [OK, 'Low disruptions', 'Medium disruptions', 'High disruptions', 'Major disruptions'];
const SHOWN = ['ads-manager', 'marketing-api', 'graph-api', 'facebook-login'];
const FAULTS: [label: string, body: object][] = [
  ['HTML, the next 10 requests', { kind: 'html', times: 10 }],
  ['Half of the JSON, the next 10', { kind: 'truncated', times: 10 }],
  ['503, the next 10', { kind: 'http', http: 503, times: 10 }],
  ['An unknown phrase, the next 10', { kind: 'unknown_phrase', times: 10 }],
  ['Down, until removed', { kind: 'down', times: 0 }],
];

/** What the status page answers to any path it does not know: its empty application, with status 200. */
export function shellPage(): string {
  return '<!doctype html><html lang="en"><head><title>Meta Status and Outages</title></head><body><div id="root"></div></body></html>';
}

export function feed(org: Org, outages: readonly Outage[]): string {
  const items = outages
    .filter(({ status }) => !isOver(status))
    .flatMap((outage) => {
      const service = org.services.find(({ id }) => id === outage.service_id)?.name ?? '';
      const post = outage.posts.at(-1);
      if (post === undefined) return [];
      return `<item><title>[${escapeHtml(post.status)}]: ${escapeHtml(service)}</title><link>https://metastatus.com/${org.id}</link><description>${escapeHtml(post.description)}</description><pubDate>${new Date(post.time).toUTCString()}</pubDate></item>`;
    });
  const self = `<atom:link rel="self" type="application/rss+xml" href="https://metastatus.com/${org.rss_file_paths[0] ?? ''}"/>`;
  return `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>${escapeHtml(org.name)} Status</title><link>https://metastatus.com/${org.id}</link>${self}${items.join('')}</channel></rss>`;
}

/** The page of a product, for people; null where the path names none. */
export function humanPage(
  orgs: readonly Org[],
  outages: ReadonlyMap<string, readonly Outage[]>,
  path: string,
): string | null {
  const org = orgs.find(({ id }) => path === `/${id}`);
  if (org === undefined) return null;
  const rows = org.services.map(
    ({ name, status }) => `<tr><td>${escapeHtml(name)}</td><td class="word">${escapeHtml(status)}</td></tr>`,
  );
  const told = (outages.get(org.id) ?? []).flatMap(({ posts }) =>
    posts.map(
      ({ time, status, description }) =>
        `<li><b>${escapeHtml(status)}</b>, ${escapeHtml(time)}<br>${escapeHtml(description)}</li>`,
    ),
  );
  return framePage(
    `${org.name} status (simulated)`,
    `<h1>${escapeHtml(org.name)}</h1><p class="note">A simulated status page. <a href="/_sim">Change it</a></p>
     <div class="table"><table>${rows.join('')}</table></div><ul>${told.join('')}</ul>`,
  );
}

export function controlPage(state: StatusState, log: RequestLog, faults: Faults): string {
  const running =
    state.replay === null
      ? ''
      : `<p>Replaying <b>${escapeHtml(state.replay.incident.id)}</b>, ${state.replay.speed} × faster. <button data-delete="/_sim/replay">Stop</button></p>`;
  const buttons = FAULTS.map(([label, body]) => controlButton(label, '/_sim/faults', body));
  const ordered = faults
    .list()
    .map(({ kind, hits, times }) => `<li>${kind}: ${hits} of ${times || 'any'}</li>`);
  const asked = log
    .entries()
    .slice(-10)
    .toReversed()
    .map(
      ({ at, path, status }) =>
        `<tr><td>${at.slice(11, 23)}</td><td>${escapeHtml(path)}</td><td>${status}</td></tr>`,
    );
  return framePage(
    'Simulated status page',
    `<h1>Meta's status page, simulated</h1><p class="note">What you set here is what SmartPause reads within its poll interval.
     The files: <a href="/data/orgs.json">orgs.json</a>, <a href="/data/outages/ads-manager.json">outages</a>,
     <a href="/outage-events-feed-ads-manager.rss">feed</a>, <a href="/ads-manager">page</a>.</p>
     ${running}<h2>Replay an incident</h2>${replayTable()}
     <h2>Set a service by hand</h2>${serviceTable(state)}
     <h2>Start over</h2>${controlButton('Everything back to normal', '/_sim/reset')}
     <h2>Wrong answers</h2>${buttons.join('')}<button data-delete="/_sim/faults">Remove all</button><ul>${ordered.join('')}</ul>
     <h2>Last requests</h2><div class="table"><table>${asked.join('')}</table></div>`,
  );
}

function replayTable(): string {
  const rows = INCIDENTS.map(({ id, title }) => {
    const buttons = [60, 300, 1].map((speed) => {
      const label = speed === 1 ? 'real time' : `${speed} × faster`;
      return controlButton(
        label,
        '/_sim/replay',
        { incident: id, speed, fromSecondsBefore: 0 },
        `${id}, ${label}`,
      );
    });
    return `<tr><td>${escapeHtml(title)}</td><td>${buttons.join('')}</td></tr>`;
  });
  return `<div class="table"><table>${rows.join('')}</table></div>`;
}

function serviceTable(state: StatusState): string {
  const rows = state.orgs
    .filter(({ id }) => SHOWN.includes(id))
    .flatMap((org) =>
      org.services.map(({ name, status: current }) => {
        const buttons = PHRASES.map((status) =>
          controlButton(status, '/_sim/status', { org: org.id, service: name, status }, `${name}: ${status}`),
        );
        return `<tr><td>${escapeHtml(org.name)}<br>${escapeHtml(name)}</td><td class="word">${escapeHtml(current)}</td><td>${buttons.join('')}</td></tr>`;
      }),
    );
  return `<div class="table"><table>${rows.join('')}</table></div>`;
}
