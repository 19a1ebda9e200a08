import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Fault } from '../kit/faults.ts';
import { Faults } from '../kit/faults.ts';
import type { SimAnswer, SimRequest, SimServer } from '../kit/http.ts';
import { html } from '../kit/http.ts';
import { RequestLog } from '../kit/request-log.ts';
import type { ControlRoute, SimulatorOptions } from '../kit/simulator.ts';
import { linger, startSimulator } from '../kit/simulator.ts';
import { INCIDENTS } from './incidents.ts';
import { controlPage, feed, shellPage } from './pages.ts';
import type { Outage, StatusState } from './state.ts';
import { changeStatus, freshState } from './state.ts';

const statusBody = z.object({
  org: z.string().default('ads-manager'),
  service: z.string().default('Ads Delivery'),
  status: z.string().min(1),
  description: z.string().optional(),
  only: z.enum(['orgs', 'outages']).optional(),
  at: z.iso.datetime().optional(),
});

const replayBody = z.object({
  incident: z.enum(INCIDENTS.map(({ id }) => id) as [string, ...string[]]),
  speed: z.number().positive().default(60),
  /** Seconds of the incident's own time before its first post. */
  fromSecondsBefore: z.number().min(0).default(60),
});

/** Meta's status page: `orgs.json`, outages and history per product, feeds, and its HTML shell for all else. */
export function startMetaStatus(options: SimulatorOptions = {}): Promise<SimServer> {
  let state = freshState();
  const parts = { faults: new Faults(), log: new RequestLog() };
  const control: ControlRoute[] = [
    { method: 'GET', path: '/state', handle: () => snapshot(state) },
    {
      method: 'POST',
      path: '/status',
      body: statusBody,
      handle: ({ body }) => {
        const change = body as z.infer<typeof statusBody>;
        const fault = changeStatus(state, { ...change, at: change.at ?? new Date().toISOString() });
        return fault === null ? undefined : { error: fault };
      },
    },
    {
      method: 'POST',
      path: '/replay',
      body: replayBody,
      handle: ({ body }) => startReplay(state, replayBody.parse(body)),
    },
    { method: 'DELETE', path: '/replay', handle: () => void (state.replay = null) },
  ];
  return startSimulator(options, parts, {
    outside: async (request) => {
      advanceReplay(state, Date.now());
      return serve(state, parts.faults, request);
    },
    control,
    page: () => {
      advanceReplay(state, Date.now());
      return controlPage(state);
    },
    reset: () => {
      state = freshState();
    },
  });
}

function startReplay(
  state: StatusState,
  given: z.infer<typeof replayBody>,
): { startsAt: string; endsAt: string } {
  const incident = INCIDENTS.find(({ id }) => id === given.incident);
  const [first, last] = [incident?.posts[0], incident?.posts.at(-1)];
  if (incident === undefined || first === undefined || last === undefined)
    throw new Error('an incident without posts');
  const startsAt = Date.now() + (given.fromSecondsBefore * 1000) / given.speed;
  state.replay = { incident, speed: given.speed, startsAt, posted: 0 };
  const endsAt = startsAt + (Date.parse(last.at) - Date.parse(first.at)) / given.speed;
  return { startsAt: new Date(startsAt).toISOString(), endsAt: new Date(endsAt).toISOString() };
}

/** Brings the page to where the replay is by now. The times served are the incident's own. */
function advanceReplay(state: StatusState, now: number): void {
  const { replay } = state;
  const first = replay?.incident.posts[0];
  if (replay === null || first === undefined) return;
  const reached = Date.parse(first.at) + (now - replay.startsAt) * replay.speed;
  for (const post of replay.incident.posts.slice(replay.posted)) {
    if (Date.parse(post.at) > reached) break;
    changeStatus(state, post);
    replay.posted += 1;
  }
  if (replay.posted === replay.incident.posts.length) state.replay = null;
}

function snapshot(state: StatusState): unknown {
  return {
    orgs: state.orgs,
    outages: Object.fromEntries(state.outages),
    history: Object.fromEntries(state.history),
    replay: state.replay && { incident: state.replay.incident.id, speed: state.replay.speed },
  };
}

async function serve(state: StatusState, faults: Faults, request: SimRequest): Promise<SimAnswer> {
  const occasion = { method: request.method, path: request.path, op: 'outer' } as const;
  await linger(faults.take(['latency'], occasion)?.ms ?? 0);
  const broken = faults.take(['html', 'truncated', 'http', 'reset', 'down'], occasion);
  if (broken?.kind === 'reset' || broken?.kind === 'down') return 'cut';
  if (broken?.kind === 'http') return html(broken.http ?? 503, '<h1>Sorry, something went wrong.</h1>');
  if (broken?.kind === 'html') return html(200, shellPage());
  const file = readFile(state, faults, request);
  if (file === null) return html(200, shellPage());
  const body =
    broken?.kind === 'truncated' ? file.body.slice(0, Math.floor(file.body.length / 2)) : file.body;
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;
  const headers = { 'content-type': file.type, etag, 'cache-control': 'max-age=0' };
  if (request.headers['if-none-match'] === etag) return { status: 304, headers, body: '' };
  return { status: 200, headers, body };
}

interface File {
  type: string;
  body: string;
}

function readFile(state: StatusState, faults: Faults, request: SimRequest): File | null {
  const { path } = request;
  const content = faults.take(['missing_org', 'unknown_phrase', 'null_time', 'posts_order', 'empty_array'], {
    method: request.method,
    path,
    op: 'outer',
  });
  const asJson = (value: unknown): File => ({ type: 'application/json', body: JSON.stringify(value) });
  if (path === '/data/orgs.json') return asJson(orgsWith(state, content));
  const outages = /^\/data\/outages\/([\w-]+?)(\.history)?\.json$/.exec(path);
  if (outages !== null) {
    const [, org = '', history] = outages;
    if (!state.orgs.some(({ id }) => id === org)) return null;
    const list = (history === undefined ? state.outages : state.history).get(org) ?? [];
    return asJson(content?.kind === 'empty_array' ? [] : list.map((outage) => outageWith(outage, content)));
  }
  const rss = /^\/outage-events-feed-([\w-]+)\.rss$/.exec(path);
  const org = state.orgs.find(({ id }) => id === rss?.[1]);
  if (org === undefined) return null;
  return { type: 'application/rss+xml', body: feed(org, state.outages.get(org.id) ?? []) };
}

function orgsWith(state: StatusState, fault: Fault | null): unknown {
  if (fault?.kind === 'empty_array') return [];
  if (fault?.kind === 'missing_org') return state.orgs.filter(({ id }) => id !== 'ads-manager');
  return state.orgs.map((org) => ({
    ...org,
    services: org.services.map((service) => ({
      ...service,
      status: fault?.kind === 'unknown_phrase' ? (fault.phrase ?? 'Wobbly') : service.status,
      time: fault?.kind === 'null_time' ? null : service.time,
    })),
  }));
}

function outageWith(outage: Outage, fault: Fault | null): unknown {
  if (fault?.kind === 'posts_order' && fault.order === 'newest_first')
    return { ...outage, posts: outage.posts.toReversed() };
  if (fault?.kind === 'null_time')
    return { ...outage, posts: outage.posts.map((post) => ({ ...post, time: null })) };
  return outage;
}
