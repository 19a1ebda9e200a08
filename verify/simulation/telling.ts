import { parseJson } from '../../simulators/kit/http.ts';
import type { SimRequest } from '../../simulators/kit/http.ts';
import type { Place, Sight } from './network.ts';

/** Marks the lines of a trace that are not moments of the history but what came of them. */
export const BETWEEN = '  ';

interface Operation {
  method: string;
  relative_url: string;
  body?: string;
}

/** What a request asks for, in a few words and without what must not be told. */
export function tellRequest({ place, request, isByHand }: Sight): string {
  const asked = [request.method, request.path, ...operationsOf(place, request)].join(' ');
  return `${place}: ${asked}${isByHand ? ' (by hand)' : ''}`;
}

function operationsOf(place: Place, request: SimRequest): string[] {
  const batch = request.params.get('batch');
  if (place !== 'graph' || batch === undefined) return [];
  return (parseJson(batch) as Operation[]).map(
    ({ relative_url: address, body = '' }) =>
      `${address.split('?')[0] ?? ''}${body === '' ? '' : `=${body}`}`,
  );
}
