import { createHash } from 'node:crypto';
import type { Faults, Occasion } from '../kit/faults.ts';
import type { HttpAnswer, SimRequest } from '../kit/http.ts';
import { html } from '../kit/http.ts';
import type { StatusState } from './state.ts';
import { isOver, now } from './state.ts';

/** The response to unknown paths: the empty application, with status 200. */
export const SHELL =
  '<!doctype html><html lang="en"><head><title>Meta Status and Outages</title></head><body><div id="root"></div></body></html>';

/** The response without a transport fault. `served`: the body of each file, as it was served last. */
export function answerFile(
  { state, faults, served }: { state: StatusState; faults: Faults; served: Map<string, string> },
  request: SimRequest,
  occasion: Occasion,
): HttpAnswer {
  const content = contentOf(state, faults, occasion);
  if (content === null) return html(200, SHELL);
  const frozen = faults.take(['frozen'], occasion);
  const body = (frozen === null ? undefined : served.get(request.path)) ?? JSON.stringify(content);
  served.set(request.path, body);
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;
  const date = new Date(now(state) - (frozen?.ms ?? 0)).toUTCString();
  const headers = { 'content-type': 'application/json', date, etag };
  const isUnchanged = request.headers['if-none-match'] === etag;
  return isUnchanged ? { status: 304, headers, body: '' } : { status: 200, headers, body };
}

/** Null: there is no such file. */
function contentOf(state: StatusState, faults: Faults, occasion: Occasion): object[] | null {
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
