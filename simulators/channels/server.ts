import { z } from 'zod';
import { Faults } from '../kit/faults.ts';
import type { Fault, Occasion } from '../kit/faults.ts';
import type { HttpAnswer, SimAnswer, SimRequest, SimServer } from '../kit/http.ts';
import { html, parseJson, redirect } from '../kit/http.ts';
import type { ControlPage } from '../kit/page.ts';
import { controlPage, escapeHtml, framePage } from '../kit/page.ts';
import type { SimulatorOptions } from '../kit/simulator.ts';
import { ask, clockBody, order, startSimulator } from '../kit/simulator.ts';
import { TRANSPORT_FAULTS, throughFaults } from '../kit/transport-faults.ts';
import { slackMessage, teamsMessage } from './schemas.ts';
import type { ServiceName } from './services.ts';
import { SERVICES, serviceAt } from './services.ts';
import { drawSlack } from './slack-page.ts';

export interface Received {
  n: number;
  at: number;
  service: ServiceName;
  path: string;
  headers: Record<string, string>;
  body: unknown;
  /** Why it was refused. */
  problem: string | null;
  status: number;
}

const KEPT = 5000;
const FAULTS = ['error', 'redirect', 'gone', 'limited', ...TRANSPORT_FAULTS];
const secretsBody = z.strictObject({ secrets: z.array(z.string().startsWith('whsec_')) });

interface State {
  received: Received[];
  count: number;
  secrets: string[];
  clockOffsetMs: number;
}
const freshState = (): State => ({ received: [], count: 0, secrets: [], clockOffsetMs: 0 });

/** Slack, Teams, Discord, PagerDuty and an endpoint for webhooks in one: checks each message, and shows what came. */
export async function startChannels(options: SimulatorOptions = {}): Promise<SimServer> {
  const faults = new Faults(FAULTS);
  const state = freshState();
  const server = await startSimulator(options, faults, {
    outside: (request) => {
      const [, n] = /^\/message\/(\d+)$/.exec(request.path) ?? [];
      if (n !== undefined)
        return Promise.resolve(messagePage(state.received.find((one) => one.n === Number(n))));
      return receive(state, faults, request);
    },
    control: [
      ask('GET', '/messages', () => ({ messages: state.received })),
      ask('DELETE', '/messages', () => void (state.received = [])),
      order('/secrets', secretsBody, ({ secrets }) => void (state.secrets = secrets)),
      order('/clock', clockBody, ({ offsetMs }) => void (state.clockOffsetMs = offsetMs)),
    ],
    page: () => controlPage(faults, inbox(state.received, server.url)),
    reset: () => void Object.assign(state, freshState()),
  });
  return server;
}

async function receive(state: State, faults: Faults, request: SimRequest): Promise<SimAnswer> {
  const [name, service] = serviceAt(request.path) ?? [];
  if (name === undefined || service === undefined) {
    const isHome = request.method === 'GET' && request.path === '/';
    return isHome ? redirect('/_sim') : html(404, 'The messages are at /_sim');
  }
  if (request.method !== 'POST') return { status: 405, headers: { allow: 'POST' }, body: '' };
  const occasion: Occasion = { method: request.method, path: request.path, op: 'outer' };
  return throughFaults(faults, { request, occasion }, () => {
    const now = Date.now() + state.clockOffsetMs;
    const { path, headers } = request;
    const [body, problem] = [
      parseJson(request.body),
      service.check(request, { secrets: state.secrets, now }),
    ];
    const fault = faults.take(['error', 'redirect', 'gone', 'limited'], occasion);
    const usual = () => (problem === null ? service.accepts(body) : service.refuses(problem));
    const answer = fault === null ? usual() : answerOf(fault, name);
    const one = {
      n: ++state.count,
      at: now,
      service: name,
      path,
      headers,
      body,
      problem,
      status: answer.status,
    };
    state.received = [...state.received, one].slice(-KEPT);
    return answer;
  });
}

function answerOf({ kind, http, message, ms, location }: Fault, name: ServiceName): HttpAnswer {
  const { gone, limited } = SERVICES[name];
  if (kind === 'gone') return gone;
  if (kind === 'redirect') return { ...redirect(location ?? 'http://127.0.0.1/'), status: http ?? 302 };
  if (kind === 'limited')
    return {
      ...limited,
      headers: { ...limited.headers, 'retry-after': String(Math.ceil((ms ?? 1000) / 1000)) },
    };
  return { status: http ?? 500, body: message ?? '' };
}

/** The received messages, newest first. */
function inbox(received: readonly Received[], url: string): ControlPage {
  return {
    title: 'Slack, Teams, Discord, PagerDuty and webhooks',
    note: 'Every message that SmartPause sends to an address of this machine arrives here. A wrong one is refused.',
    sections: [
      {
        heading: 'Messages',
        rows: received.toReversed().map(({ n, service, body, status, problem, at }) => ({
          texts: [
            titleOf(body),
            LABELS[service],
            `${status}${problem === null ? '' : ', wrong'}`,
            timeOf(at),
          ],
          address: `/message/${n}`,
        })),
      },
      {
        heading: 'Addresses',
        rows: Object.entries(ADDRESSES).map(([service, address]) => ({
          texts: [LABELS[service as ServiceName], url + address],
        })),
      },
    ],
    faults: [
      ['Refuse one message for now', { kind: 'error', http: 503 }],
      ['Ask to wait a minute', { kind: 'limited', ms: 60_000 }],
      ['Know the address no more, until removed', { kind: 'gone', times: 0 }],
      ['Redirect one', { kind: 'redirect' }],
      ['Don’t answer one', { kind: 'hang_before' }],
    ],
  };
}

const LABELS: Record<ServiceName, string> = {
  slack: 'Slack',
  teams: 'Teams',
  discord: 'Discord',
  pagerduty: 'PagerDuty',
  webhook: 'Webhook',
};
/** As a user enters them, after this simulator's URL. */
const ADDRESSES: Record<ServiceName, string> = {
  slack: '/services/T000/B000/secret',
  teams: '/workflows/1/triggers/manual/paths/invoke?sig=secret',
  discord: '/api/webhooks/1/secret',
  pagerduty: '/v2/enqueue 0123456789abcdef0123456789abcdef',
  webhook: '/hooks/1',
};

const titled = z.union([
  z.object({ text: z.string() }).transform(({ text }) => text),
  z.object({ embeds: z.tuple([z.object({ title: z.string() })]) }).transform(({ embeds }) => embeds[0].title),
  z.object({ payload: z.object({ summary: z.string() }) }).transform(({ payload }) => payload.summary),
  teamsMessage.transform(({ attachments }) => attachments[0].content.body[0]?.inlines[0]?.text ?? ''),
  z.object({ data: z.object({ title: z.string() }) }).transform(({ data }) => data.title),
]);

function titleOf(body: unknown): string {
  return titled.safeParse(body).data ?? 'Message';
}

/** As on SmartPause's own pages: New York time, labelled EST. */
function timeOf(at: number): string {
  const style = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'America/New_York' } as const;
  return `${new Date(at).toLocaleString('en-US', style)} EST`;
}

function messagePage(message: Received | undefined): HttpAnswer {
  const back = '<p><a href="/_sim">Messages</a></p>';
  if (message === undefined) return html(404, framePage('Messages', `${back}<h1>Message not found</h1>`));
  const { service, at, status, problem, headers, body } = message;
  const { success, data } = slackMessage.safeParse(body);
  const drawn = service === 'slack' && success ? drawSlack(data, timeOf(at)) : '';
  const shown = JSON.stringify({ headers, body }, null, 2);
  return html(
    200,
    framePage(
      titleOf(body),
      `${back}<h1>${escapeHtml(titleOf(body))}</h1>
       <p class="note">${LABELS[service]}, ${timeOf(at)}, answered ${status}${problem === null ? '' : `<br>${escapeHtml(problem)}`}</p>
       ${drawn}<h2>As it came</h2><pre>${escapeHtml(shown)}</pre>`,
    ),
  );
}
