import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Occasion } from '../kit/faults.ts';
import { Faults } from '../kit/faults.ts';
import type { HttpAnswer, SimAnswer, SimRequest, SimServer } from '../kit/http.ts';
import { cutShort, html } from '../kit/http.ts';
import type { Button, ControlPage } from '../kit/page.ts';
import { controlPage } from '../kit/page.ts';
import type { ControlRoute, SimulatorOptions } from '../kit/simulator.ts';
import { ControlError, ask, clockBody, order, startSimulator } from '../kit/simulator.ts';
import type { Content, StatusState } from './state.ts';
import {
  OK,
  advanceReplay,
  changeStatus,
  contentAt,
  freshState,
  isOver,
  now,
  startReplay,
  stopReplay,
} from './state.ts';

const BROKEN = ['html', 'truncated', 'http', 'reset', 'down'];
const LEVELS = ['Low disruptions', 'Medium disruptions', 'High disruptions', OK];

const statusBody = z.strictObject({
  org: z.string().default('ads-manager'),
  service: z.string().default('Ads Delivery'),
  status: z.string().min(1),
  only: z.enum(['orgs', 'outages']).optional(),
  at: z.iso.datetime().optional(),
});
const replayBody = z.strictObject({ seconds: z.number().positive().default(120) });

export interface StatusPage {
  state: StatusState;
  faults: Faults;
  /** The body of each file, as it was served last. */
  served: Map<string, string>;
}

/** The page without an HTTP server. */
export function createMetaStatus(): StatusPage {
  const faults = new Faults(['unknown_phrase', 'frozen', 'old_copy', ...BROKEN]);
  return { state: freshState(), faults, served: new Map() };
}

/** Meta's status page: `orgs.json` and the outages of each product; else the HTML shell. */
export function startMetaStatus(options: SimulatorOptions = {}): Promise<SimServer> {
  const page = createMetaStatus();
  const { state, faults } = page;
  return startSimulator(options, faults, {
    outside: (request) => serveStatusPage(page, request),
    control: controls(state),
    page: () => {
      advanceReplay(state);
      return controlPage(faults, levels(state));
    },
    reset: () => void Object.assign(state, freshState()),
  });
}

function controls(state: StatusState): ControlRoute[] {
  return [
    order('/status', statusBody, (change) => {
      advanceReplay(state);
      const at = change.at ?? new Date(now(state)).toISOString();
      if (!changeStatus(state, { ...change, at }))
        throw new ControlError(`there is no service '${change.service}' of '${change.org}'`);
    }),
    order('/replay', replayBody, (length) => startReplay(state, length)),
    ask('DELETE', '/replay', () => stopReplay(state)),
    order('/clock', clockBody, ({ offsetMs }) => {
      state.clockOffsetMs = offsetMs;
    }),
  ];
}

function levels(state: StatusState): ControlPage {
  const rows = state.orgs.flatMap(({ id: org, services }) =>
    services.map(({ name: service, status: current }) => ({
      texts: [service, current],
      buttons: LEVELS.map((status): Button => [status, '/_sim/status', { org, service, status }]),
    })),
  );
  const replay: Button[] = [
    ['Replay two hours in two minutes', '/_sim/replay', {}],
    ['Stop the replay', '/_sim/replay', null],
  ];
  return {
    title: 'Meta’s status page',
    note: 'SmartPause pauses when “Ads Delivery” reports a disruption, and resumes after “No known issues”.',
    sections: [
      { heading: 'What the page reports', rows },
      { heading: 'Meta’s outage of January 8, 2026', rows: [{ texts: [], buttons: replay }] },
    ],
    faults: [
      ['Answer once with 503', { kind: 'http', http: 503 }],
      ['Report an unknown status, until removed', { kind: 'unknown_phrase', times: 0 }],
      ['Be down, until removed', { kind: 'down', times: 0 }],
    ],
  };
}

export function serveStatusPage(page: StatusPage, request: SimRequest): Promise<SimAnswer> {
  return Promise.resolve(answer(page, request));
}

function answer(page: StatusPage, request: SimRequest): SimAnswer {
  const occasion = { method: request.method, path: request.path, op: 'outer' } as const;
  const broken = page.faults.take(BROKEN, occasion);
  if (broken?.kind === 'reset' || broken?.kind === 'down') return 'cut';
  if (broken?.kind === 'http') return html(broken.http ?? 503, '<h1>Sorry, something went wrong.</h1>');
  if (broken?.kind === 'html') return html(200, SHELL);
  advanceReplay(page.state);
  if (broken === null) return answerFile(page, request, occasion);
  return cutShort(answerFile(page, { ...request, headers: {} }, occasion));
}

/** The response to unknown paths: the empty application, with status 200. */
const SHELL =
  '<!doctype html><html lang="en"><head><title>Meta Status and Outages</title></head><body><div id="root"></div></body></html>';

/** The response without a transport fault. */
function answerFile(
  { state, faults, served }: StatusPage,
  request: SimRequest,
  occasion: Occasion,
): HttpAnswer {
  const old = faults.take(['old_copy'], occasion);
  const at = old?.at ?? now(state) - (old?.ms ?? 0);
  const content = contentOf(contentAt(state, at), faults, occasion);
  if (content === null) return html(200, SHELL);
  const frozen = faults.take(['frozen'], occasion);
  const body = (frozen === null ? undefined : served.get(request.path)) ?? JSON.stringify(content);
  served.set(request.path, body);
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;
  const date = new Date(at - (frozen?.ms ?? 0)).toUTCString();
  const headers = { 'content-type': 'application/json', date, etag };
  const isUnchanged = request.headers['if-none-match'] === etag;
  return isUnchanged ? { status: 304, headers, body: '' } : { status: 200, headers, body };
}

/** Null: there is no such file. */
function contentOf(state: Content, faults: Faults, occasion: Occasion): object[] | null {
  const [, id, history] = /^\/data\/(?:orgs|outages\/([\w-]+?)(\.history)?)\.json$/.exec(occasion.path) ?? [];
  if (occasion.path !== '/data/orgs.json' && !state.orgs.some((org) => org.id === id)) return null;
  const outages = state.outages.get(id ?? '') ?? [];
  if (history !== undefined) return outages.filter(({ status }) => isOver(status));
  const fault = faults.take(['unknown_phrase'], occasion);
  const said = <T extends { status: string }>(one: T): T =>
    fault === null || (id !== undefined && isOver(one.status))
      ? one
      : { ...one, status: fault.phrase ?? 'Wobbly' };
  if (id !== undefined) return outages.map(said);
  return state.orgs.map((org) => ({ ...org, services: org.services.map(said) }));
}
