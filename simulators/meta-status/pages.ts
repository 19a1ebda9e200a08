import type { Faults } from '../kit/faults.ts';
import { controlButton, escapeHtml, faultSection, framePage, requestSection, table } from '../kit/page.ts';
import type { RequestLog } from '../kit/request-log.ts';
import { INCIDENTS } from './replay.ts';
import type { StatusState } from './state.ts';
import { OK } from './state.ts';

const PHRASES = [OK, 'Low disruptions', 'Medium disruptions', 'High disruptions', 'Major disruptions'];
const FAULTS: [label: string, body: object][] = [
  ['HTML, the next 10 requests', { kind: 'html', times: 10 }],
  ['Half of the JSON, the next 10', { kind: 'truncated', times: 10 }],
  ['503, the next 10', { kind: 'http', http: 503, times: 10 }],
  ['An unknown phrase, the next 10', { kind: 'unknown_phrase', times: 10 }],
  ['Down, until removed', { kind: 'down', times: 0 }],
];

/** The response to unknown paths: the empty application, with status 200. */
export const SHELL =
  '<!doctype html><html lang="en"><head><title>Meta Status and Outages</title></head><body><div id="root"></div></body></html>';

export function controlPage(state: StatusState, log: RequestLog, faults: Faults): string {
  const running =
    state.replay === null
      ? ''
      : `<p>Replaying <b>${escapeHtml(state.replay.incident.id)}</b>, ${state.replay.speed} × faster. <button data-delete="/_sim/replay">Stop</button></p>`;
  return framePage(
    'Simulated status page',
    `<h1>Meta's status page, simulated</h1><p class="note">SmartPause reads what you set here at its next check.
     The files: <a href="/data/orgs.json">orgs.json</a>, <a href="/data/outages/ads-manager.json">outages</a>.</p>
     ${running}<h2>Replay an incident</h2>${replayTable()}
     <h2>Set a service manually</h2>${serviceTable(state)}
     <h2>Start over</h2>${controlButton('Everything back to normal', '/_sim/reset')}
     ${faultSection(FAULTS, faults)}${requestSection(log)}`,
  );
}

function replayTable(): string {
  const rows = INCIDENTS.map(({ id, title }) => {
    const buttons = [60, 300, 1].map((speed) => {
      const label = speed === 1 ? 'real time' : `${speed} × faster`;
      const order = { incident: id, speed, fromSecondsBefore: 0 };
      return controlButton(label, '/_sim/replay', order, `${id}, ${label}`);
    });
    return `<tr><td>${escapeHtml(title)}</td><td>${buttons.join('')}</td></tr>`;
  });
  return table(rows);
}

function serviceTable(state: StatusState): string {
  const rows = state.orgs.flatMap((org) =>
    org.services.map(({ name, status: current }) => {
      const buttons = PHRASES.map((status) =>
        controlButton(status, '/_sim/status', { org: org.id, service: name, status }, `${name}: ${status}`),
      );
      return `<tr><td>${escapeHtml(org.name)}<br>${escapeHtml(name)}</td><td class="word">${escapeHtml(current)}</td><td>${buttons.join('')}</td></tr>`;
    }),
  );
  return table(rows);
}
