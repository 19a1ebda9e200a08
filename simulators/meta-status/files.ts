import { createHash } from 'node:crypto';
import type { Fault, Faults, Occasion } from '../kit/faults.ts';
import type { HttpAnswer, SimRequest } from '../kit/http.ts';
import { cutShort, html, json } from '../kit/http.ts';
import { SHELL } from './pages.ts';
import type { Org, Outage, StatusState } from './state.ts';
import { isOver } from './state.ts';

const ORGS_FAULTS = ['missing_org', 'unknown_phrase', 'empty_array'];
const OUTAGES_FAULTS = ['posts_order', 'unknown_phrase', 'empty_array'];
export const CONTENT_FAULTS = [...ORGS_FAULTS, 'posts_order'];

/** The response without a transport fault. Unknown paths return the shell with 200. */
export function answerFile(
  { state, faults, changes }: { state: StatusState; faults: Faults; changes: Changes },
  request: SimRequest,
  given: { isTruncated: boolean },
): HttpAnswer {
  const content = readFile(state, faults, request);
  if (content === null) return html(200, SHELL);
  const full = json(200, content);
  if (given.isTruncated) return cutShort(full);
  const changedAt = changes.at(request.path, full.body);
  const etag = `"${createHash('sha256').update(full.body).digest('hex').slice(0, 16)}"`;
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

/** When each file last changed, in whole seconds; two changes never share one. */
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

/** Null: there is no such file. */
function readFile(state: StatusState, faults: Faults, { method, path }: SimRequest): object | null {
  const occasion: Occasion = { method, path, op: 'outer' };
  if (path === '/data/orgs.json') return orgsWith(state, faults.take(ORGS_FAULTS, occasion));
  const [, id, history] = /^\/data\/outages\/([\w-]+?)(\.history)?\.json$/.exec(path) ?? [];
  if (id === undefined || !state.orgs.some((org) => org.id === id)) return null;
  if (history !== undefined) return (state.outages.get(id) ?? []).filter(({ status }) => isOver(status));
  const fault = faults.take(OUTAGES_FAULTS, occasion);
  const outages = state.outages.get(id) ?? [];
  return fault?.kind === 'empty_array' ? [] : outages.map((outage) => outageWith(outage, fault));
}

function orgsWith({ orgs }: StatusState, fault: Fault | null): Org[] {
  if (fault?.kind === 'empty_array') return [];
  if (fault?.kind === 'missing_org') return orgs.filter(({ id }) => id !== (fault.org ?? 'ads-manager'));
  if (fault === null) return orgs;
  const status = phraseOf(fault);
  return orgs.map((org) => ({ ...org, services: org.services.map((service) => ({ ...service, status })) }));
}

function outageWith(outage: Outage, fault: Fault | null): Outage {
  if (fault?.kind === 'posts_order' && fault.order !== 'oldest_first')
    return { ...outage, posts: outage.posts.toReversed() };
  if (fault?.kind === 'unknown_phrase' && !isOver(outage.status))
    return { ...outage, status: phraseOf(fault) };
  return outage;
}

function phraseOf(fault: Fault): string {
  return fault.phrase ?? 'Wobbly';
}
