import type { HoldRow } from '../invariants/snapshot.ts';
import type { SimRequest } from '../../simulators/kit/http.ts';
import { parseJson } from '../../simulators/kit/http.ts';
import type { ObservedRequest } from './world/network.ts';

/** Marks the lines of a trace that are not events of the history but their consequences. */
export const DETAIL_INDENT = '  ';

interface Operation {
  method: string;
  relative_url: string;
  body?: string;
}

function operationsOf(request: SimRequest): Operation[] {
  return parseJson(request.params.get('batch') ?? '[]') as Operation[];
}

/** A request in one line, without secrets. */
export function describeRequest({ service, request, isManual }: ObservedRequest): string {
  const operations = (service === 'graph' ? operationsOf(request) : []).map(
    ({ relative_url: address, body = '' }) =>
      `${address.split('?')[0] ?? ''}${body === '' ? '' : `=${body}`}`,
  );
  const text = [request.method, request.path, ...operations].join(' ');
  return `${service}: ${text}${isManual ? ' (manual)' : ''}`;
}

/** The status changes in a batch. */
export function writesIn(request: SimRequest): { campaign: string; status: string }[] {
  return operationsOf(request).flatMap(({ method, relative_url: campaign, body = '' }) => {
    const status = new URLSearchParams(body).get('status');
    return method === 'POST' && status !== null ? [{ campaign, status }] : [];
  });
}

export function describeHold({ id, campaign_id, state, outcome, reason, sent_at, release }: HoldRow): string {
  const end = outcome === null ? '' : ` ${outcome} ${reason ?? ''}`;
  return `hold ${id} on ${campaign_id}: ${state}${end}${sent_at === null ? '' : ', unconfirmed'}${release === null ? '' : `, to end: ${release}`}`;
}
