import { z } from 'zod';
import { Faults } from '../kit/faults.ts';
import type { SimAnswer, SimRequest, SimServer } from '../kit/http.ts';
import { html } from '../kit/http.ts';
import { RequestLog } from '../kit/request-log.ts';
import type { ControlRoute, SimulatorOptions } from '../kit/simulator.ts';
import { ControlError, ask, clockOffset, order, startSimulator } from '../kit/simulator.ts';
import { linger } from '../kit/transport-faults.ts';
import { CONTENT_FAULTS, Changes, answerFile } from './files.ts';
import { SHELL, controlPage } from './pages.ts';
import { INCIDENTS, advanceReplay, startReplay, stopReplay } from './replay.ts';
import type { StatusState } from './state.ts';
import { changeStatus, freshState, now } from './state.ts';

const TRANSPORT_FAULTS = ['html', 'truncated', 'http', 'reset', 'down'];

const statusBody = z.strictObject({
  org: z.string().default('ads-manager'),
  service: z.string().default('Ads Delivery'),
  status: z.string().min(1),
  only: z.enum(['orgs', 'outages']).optional(),
  at: z.iso.datetime().optional(),
});

const replayBody = z.strictObject({
  incident: z.enum(INCIDENTS.map(({ id }) => id)),
  speed: z.number().positive().default(60),
  fromSecondsBefore: z.number().min(0).default(60),
});

export interface StatusPage {
  state: StatusState;
  faults: Faults;
  changes: Changes;
}

/** The page without an HTTP server. */
export function createMetaStatus(): StatusPage {
  const faults = new Faults([...CONTENT_FAULTS, ...TRANSPORT_FAULTS, 'latency']);
  return { state: freshState(), faults, changes: new Changes() };
}

/** Meta's status page: `orgs.json` and the outages of each product; else the HTML shell. */
export function startMetaStatus(options: SimulatorOptions = {}): Promise<SimServer> {
  const page = createMetaStatus();
  const { state, faults } = page;
  const parts = { faults, log: new RequestLog() };
  return startSimulator(options, parts, {
    outside: (request) => serveStatusPage(page, request),
    control: controls(state),
    page: () => {
      advanceReplay(state);
      return controlPage(state, parts.log, parts.faults);
    },
    reset: () => void Object.assign(state, freshState()),
  });
}

function controls(state: StatusState): ControlRoute[] {
  return [
    ask('GET', '/state', () => {
      advanceReplay(state);
      return snapshot(state);
    }),
    order('/status', statusBody, (change) => {
      advanceReplay(state);
      const at = change.at ?? new Date(now(state)).toISOString();
      if (!changeStatus(state, { ...change, at }))
        throw new ControlError(`there is no service '${change.service}' of '${change.org}'`);
    }),
    order('/replay', replayBody, ({ incident: id, ...pace }) => {
      const incident = INCIDENTS.find((one) => one.id === id);
      return incident && startReplay(state, incident, pace);
    }),
    ask('DELETE', '/replay', () => stopReplay(state)),
    order('/clock', z.strictObject({ offsetMs: clockOffset }), ({ offsetMs }) => {
      state.clockOffsetMs = offsetMs;
    }),
  ];
}

function snapshot(state: StatusState): unknown {
  return {
    orgs: state.orgs,
    outages: Object.fromEntries(state.outages),
    replay: state.replay && { incident: state.replay.incident.id, speed: state.replay.speed },
    clockOffsetMs: state.clockOffsetMs,
  };
}

export async function serveStatusPage(parts: StatusPage, request: SimRequest): Promise<SimAnswer> {
  const { state, faults } = parts;
  const occasion = { method: request.method, path: request.path, op: 'outer' } as const;
  await linger(faults.take(['latency'], occasion)?.ms ?? 0);
  const broken = faults.take(TRANSPORT_FAULTS, occasion);
  if (broken?.kind === 'reset' || broken?.kind === 'down') return 'cut';
  if (broken?.kind === 'http') return html(broken.http ?? 503, '<h1>Sorry, something went wrong.</h1>');
  if (broken?.kind === 'html') return html(200, SHELL);
  advanceReplay(state);
  return answerFile(parts, request, { isTruncated: broken?.kind === 'truncated' });
}
