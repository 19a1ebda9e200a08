import { createHash } from 'node:crypto';
import type { Fault, Faults, Occasion } from '../kit/faults.ts';
import type { HttpAnswer, SimRequest } from '../kit/http.ts';
import { cutShort, html } from '../kit/http.ts';
import { feed, humanPage, shellPage } from './pages.ts';
import type { Outage, StatusState } from './state.ts';
import { isOver } from './state.ts';

export const CONTENT_FAULTS = [
  'missing_org',
  'unknown_phrase',
  'null_time',
  'posts_order',
  'empty_array',
] as const;
const ORGS_FAULTS = ['missing_org', 'unknown_phrase', 'null_time', 'empty_array'];
const OUTAGES_FAULTS = ['unknown_phrase', 'null_time', 'posts_order', 'empty_array'];

interface File {
  type: string;
  body: string;
}

/** What the page answers when nothing is wrong in transport. Any path it does not know is its shell, with 200. */
export function answerFile(
  { state, faults, changes }: { state: StatusState; faults: Faults; changes: Changes },
  request: SimRequest,
  given: { isTruncated: boolean },
): HttpAnswer {
  const file = readFile(state, faults, request);
  if (file === null) return html(200, humanPage(state.orgs, state.outages, request.path) ?? shellPage());
  const full: HttpAnswer = { status: 200, headers: { 'content-type': file.type }, body: file.body };
  if (given.isTruncated) return cutShort(full);
  const changedAt = changes.at(request.path, file.body);
  const etag = `"${createHash('sha256').update(file.body).digest('hex').slice(0, 16)}"`;
  const headers = {
    ...full.headers,
    etag,
    'last-modified': new Date(changedAt).toUTCString(),
    'cache-control': 'max-age=0',
    'access-control-allow-origin': '*',
  };
  return isUnchanged(request, etag, changedAt) ? { status: 304, headers, body: '' } : { ...full, headers };
}

function isUnchanged({ headers }: SimRequest, etag: string, changedAt: number): boolean {
  const known = headers['if-none-match'];
  if (known !== undefined) return known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return changedAt <= since;
}

/** When each file last changed, in whole seconds; two changes never have the same one. */
export class Changes {
  #files = new Map<string, { body: string; at: number }>();

  at(path: string, body: string): number {
    const known = this.#files.get(path);
    if (known?.body === body) return known.at;
    const second = Math.floor(Date.now() / 1000) * 1000;
    const at = known === undefined ? second : Math.max(second, known.at + 1000);
    this.#files.set(path, { body, at });
    return at;
  }
}

function readFile(state: StatusState, faults: Faults, { method, path }: SimRequest): File | null {
  const occasion: Occasion = { method, path, op: 'outer' };
  const asJson = (value: unknown): File => ({ type: 'application/json', body: JSON.stringify(value) });
  if (path === '/data/orgs.json') return asJson(orgsWith(state, faults.take(ORGS_FAULTS, occasion)));
  const outages = /^\/data\/outages\/([\w-]+?)(\.history)?\.json$/.exec(path);
  if (outages !== null) {
    const [, org = '', history] = outages;
    if (!state.orgs.some(({ id }) => id === org)) return null;
    const list = (history === undefined ? state.outages : state.history).get(org) ?? [];
    const fault = faults.take(OUTAGES_FAULTS, occasion);
    return asJson(fault?.kind === 'empty_array' ? [] : list.map((outage) => outageWith(outage, fault)));
  }
  const rss = /^\/outage-events-feed-([\w-]+)\.rss$/.exec(path);
  const org = state.orgs.find(({ id }) => id === rss?.[1]);
  if (org === undefined) return null;
  return { type: 'application/rss+xml', body: feed(org, state.outages.get(org.id) ?? []) };
}

function orgsWith(state: StatusState, fault: Fault | null): unknown {
  if (fault?.kind === 'empty_array') return [];
  if (fault?.kind === 'missing_org')
    return state.orgs.filter(({ id }) => id !== (fault.org ?? 'ads-manager'));
  return state.orgs.map((org) => ({
    ...org,
    services: org.services.map((service) => ({
      ...service,
      status: fault?.kind === 'unknown_phrase' ? phraseOf(fault) : service.status,
      time: fault?.kind === 'null_time' ? null : service.time,
    })),
  }));
}

function outageWith(outage: Outage, fault: Fault | null): unknown {
  switch (fault?.kind) {
    case 'posts_order':
      return fault.order === 'oldest_first' ? outage : { ...outage, posts: outage.posts.toReversed() };
    case 'null_time':
      return { ...outage, time: null, posts: outage.posts.map((post) => ({ ...post, time: null })) };
    case 'unknown_phrase':
      return isOver(outage.status) ? outage : { ...outage, status: phraseOf(fault) };
    case undefined:
    default:
      return outage;
  }
}

function phraseOf(fault: Fault): string {
  return fault.phrase ?? 'Wobbly';
}
