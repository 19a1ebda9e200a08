import { createHash } from 'node:crypto';
import type { Faults } from '../kit/faults.ts';
import type { HttpAnswer, SimRequest } from '../kit/http.ts';
import { cutShort, html, json } from '../kit/http.ts';
import type { Org, StatusState } from './state.ts';
import { isOver, now } from './state.ts';

/** The response to unknown paths: the empty application, with status 200. */
export const SHELL =
  '<!doctype html><html lang="en"><head><title>Meta Status and Outages</title></head><body><div id="root"></div></body></html>';

/** The response without a transport fault. Unknown paths return the shell with 200. */
export function answerFile(
  { state, faults, changes }: { state: StatusState; faults: Faults; changes: Changes },
  request: SimRequest,
  given: { isTruncated: boolean },
): HttpAnswer {
  const content = readFile(state, faults, request);
  if (content === null) return html(200, SHELL);
  const frozen = faults.take(['frozen'], { method: request.method, path: request.path, op: 'outer' });
  const current = json(200, content);
  const full =
    frozen === null ? current : { ...current, body: changes.lastBody(request.path) ?? current.body };
  if (given.isTruncated) return cutShort(full);
  const changedAt = changes.at(request.path, full.body);
  const etag = `"${createHash('sha256').update(full.body).digest('hex').slice(0, 16)}"`;
  const headers = {
    ...full.headers,
    date: new Date(now(state) - (frozen?.ms ?? 0)).toUTCString(),
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

  lastBody(path: string): string | undefined {
    return this.#files.get(path)?.body;
  }

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
  const phrase = (): string | null => {
    const fault = faults.take(['unknown_phrase'], { method, path, op: 'outer' });
    return fault === null ? null : (fault.phrase ?? 'Wobbly');
  };
  if (path === '/data/orgs.json') return orgsSaying(state, phrase());
  const [, id, history] = /^\/data\/outages\/([\w-]+?)(\.history)?\.json$/.exec(path) ?? [];
  if (id === undefined || !state.orgs.some((org) => org.id === id)) return null;
  const outages = state.outages.get(id) ?? [];
  if (history !== undefined) return outages.filter(({ status }) => isOver(status));
  const status = phrase();
  return outages.map((one) => (status === null || isOver(one.status) ? one : { ...one, status }));
}

function orgsSaying({ orgs }: StatusState, status: string | null): Org[] {
  if (status === null) return orgs;
  return orgs.map((org) => ({ ...org, services: org.services.map((service) => ({ ...service, status })) }));
}
