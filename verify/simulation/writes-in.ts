import type { SimRequest } from '../../simulators/kit/http.ts';
import { parseJson } from '../../simulators/kit/http.ts';

/** The status changes that a batch orders. */
export function writesIn(request: SimRequest): { campaign: string; status: string }[] {
  const operations = parseJson(request.params.get('batch') ?? '[]') as {
    method: string;
    relative_url: string;
    body?: string;
  }[];
  return operations.flatMap(({ method, relative_url: campaign, body = '' }) => {
    const status = new URLSearchParams(body).get('status');
    return method === 'POST' && status !== null ? [{ campaign, status }] : [];
  });
}
