import { controlButton, escapeHtml, framePage } from '../kit/page.ts';
import { INCIDENTS } from './incidents.ts';
import type { Org, Outage, StatusState } from './state.ts';
import { OK } from './state.ts';

const PHRASES = [OK, 'Low disruptions', 'Medium disruptions', 'High disruptions', 'Major disruptions'];
const SHOWN = ['ads-manager', 'marketing-api', 'graph-api', 'facebook-login'];

/** What the status page answers to any path it does not know: its empty application, with status 200. */
export function shellPage(): string {
  return '<!doctype html><html lang="en"><head><title>Meta Status and Outages</title></head><body><div id="root"></div></body></html>';
}

export function feed(org: Org, outages: readonly Outage[]): string {
  const items = outages
    .filter(({ status }) => status !== 'Resolved')
    .flatMap((outage) => {
      const service = org.services.find(({ id }) => id === outage.service_id)?.name ?? '';
      const post = outage.posts.at(-1);
      if (post === undefined) return [];
      return `<item><title>[${escapeHtml(post.status)}]: ${escapeHtml(service)}</title><link>https://metastatus.com/${org.id}</link><description>${escapeHtml(post.description)}</description><pubDate>${new Date(post.time).toUTCString()}</pubDate></item>`;
    });
  const self = `<atom:link rel="self" type="application/rss+xml" href="https://metastatus.com/${org.rss_file_paths[0] ?? ''}"/>`;
  return `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>${escapeHtml(org.name)} Status</title><link>https://metastatus.com/${org.id}</link>${self}${items.join('')}</channel></rss>`;
}

export function controlPage(state: StatusState): string {
  const rows = state.orgs
    .filter(({ id }) => SHOWN.includes(id))
    .flatMap((org) =>
      org.services.map((service) => {
        const buttons = PHRASES.map((status) =>
          controlButton(status, '/_sim/status', { org: org.id, service: service.name, status }),
        );
        return `<tr><td>${escapeHtml(org.name)}<br>${escapeHtml(service.name)}</td><td class="word">${escapeHtml(service.status)}</td><td>${buttons.join('')}</td></tr>`;
      }),
    );
  const replays = INCIDENTS.map(({ id, title }) => {
    const buttons = [60, 300, 1].map((speed) =>
      controlButton(speed === 1 ? 'real time' : `${speed} × faster`, '/_sim/replay', {
        incident: id,
        speed,
        fromSecondsBefore: 0,
      }),
    );
    return `<tr><td>${escapeHtml(title)}</td><td>${buttons.join('')}</td></tr>`;
  });
  const running =
    state.replay === null
      ? ''
      : `<p>Replaying <b>${escapeHtml(state.replay.incident.id)}</b>, ${state.replay.speed} × faster. <button data-delete="/_sim/replay">Stop</button></p>`;
  return framePage(
    'Simulated status page',
    `<h1>Meta's status page, simulated</h1><p class="note">What you set here is what SmartPause reads within its poll interval.
     The files: <a href="/data/orgs.json">orgs.json</a>, <a href="/data/outages/ads-manager.json">outages</a>, <a href="/outage-events-feed-ads-manager.rss">feed</a>.</p>
     ${running}<h2>Replay an incident</h2><div class="table"><table>${replays.join('')}</table></div>
     <h2>Set a service by hand</h2><div class="table"><table>${rows.join('')}</table></div>
     <h2>Start over</h2>${controlButton('Everything back to normal', '/_sim/reset')}
     <h2>Wrong answers</h2>${['html', 'truncated', 'http', 'reset'].map((kind) => controlButton(`${kind}, the next 10 requests`, '/_sim/faults', { kind, times: 10 })).join('')}`,
  );
}
