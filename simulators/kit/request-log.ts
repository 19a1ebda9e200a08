import type { SimAnswer, SimRequest } from './http.ts';

export interface LoggedRequest {
  n: number;
  at: string;
  method: string;
  path: string;
  query: Record<string, string>;
  tokenInQuery: boolean;
  status: number;
  ms: number;
  batch?: unknown;
}

const SECRET = new Set([
  'access_token',
  'appsecret_proof',
  'client_secret',
  'code',
  'fb_exchange_token',
  'input_token',
]);
const KEPT = 20_000;

/** Every request from outside, to assert on. Secrets are not kept, only that they were there. */
export class RequestLog {
  #entries: LoggedRequest[] = [];
  #count = 0;

  entries(): LoggedRequest[] {
    return this.#entries;
  }

  clear(): void {
    this.#entries = [];
  }

  async around(request: SimRequest, answer: () => Promise<SimAnswer>): Promise<SimAnswer> {
    const startedAt = performance.now();
    this.#count += 1;
    const entry: LoggedRequest = {
      n: this.#count,
      at: new Date().toISOString(),
      method: request.method,
      path: request.path,
      query: Object.fromEntries(
        [...request.query].map(([name, value]) => [name, SECRET.has(name) ? '[secret]' : value]),
      ),
      tokenInQuery: request.query.has('access_token'),
      status: 0,
      ms: 0,
      ...batchOf(request),
    };
    this.#entries.push(entry);
    if (this.#entries.length > KEPT) this.#entries.shift();
    const given = await answer();
    entry.status = given === 'cut' ? 0 : given.status;
    entry.ms = Math.round(performance.now() - startedAt);
    return given;
  }
}

function batchOf(request: SimRequest): { batch?: unknown } {
  const batch = request.params.get('batch');
  if (batch === undefined) return {};
  try {
    return { batch: JSON.parse(batch) as unknown };
  } catch {
    return { batch };
  }
}
