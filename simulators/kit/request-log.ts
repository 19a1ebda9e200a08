import type { SimAnswer, SimRequest } from './http.ts';
import { parseJson } from './http.ts';

export interface LoggedRequest {
  n: number;
  at: string;
  method: string;
  path: string;
  query: Record<string, string>;
  tokenInQuery: boolean;
  /** 0: still open, or the connection was cut. */
  status: number;
  ms: number;
  batch?: unknown;
}

export interface Tally {
  requests: number;
  /** Unix milliseconds. */
  firstAt: number | null;
  /** The maximum number of concurrent requests. */
  most: number;
}

const SECRETS = [
  'access_token',
  'appsecret_proof',
  'client_secret',
  'code',
  'code_verifier',
  'fb_exchange_token',
  'input_token',
];
const HIDDEN = '[secret]';
const SECRET_PARAM = new RegExp(`\\b(${SECRETS.join('|')})=[^&\\s"]*`, 'g');
const KEPT = 20_000;

/** Every external request, for assertions. Records the presence of secrets, not their values. */
export class RequestLog {
  #entries: LoggedRequest[] = [];
  #count = 0;
  #tally: Tally = { requests: 0, firstAt: null, most: 0 };
  #underWay = 0;

  entries(): LoggedRequest[] {
    return this.#entries;
  }

  /** Since the log was cleared, including requests that are no longer kept. */
  tally(): Tally {
    return this.#tally;
  }

  clear(): void {
    this.#entries = [];
    this.#tally = { requests: 0, firstAt: null, most: this.#underWay };
  }

  async around(request: SimRequest, answer: () => Promise<SimAnswer>): Promise<SimAnswer> {
    const startedAt = performance.now();
    this.#count += 1;
    this.#underWay += 1;
    this.#tally.requests += 1;
    this.#tally.firstAt ??= Date.now();
    this.#tally.most = Math.max(this.#tally.most, this.#underWay);
    const entry: LoggedRequest = {
      n: this.#count,
      at: new Date().toISOString(),
      method: request.method,
      path: request.path,
      query: Object.fromEntries(
        [...request.query].map(([name, value]) => [name, SECRETS.includes(name) ? HIDDEN : value]),
      ),
      tokenInQuery: request.query.has('access_token'),
      status: 0,
      ms: 0,
      ...batchOf(request),
    };
    this.#entries.push(entry);
    if (this.#entries.length > KEPT) this.#entries.shift();
    const given = await answer().finally(() => (this.#underWay -= 1));
    entry.status = given === 'cut' ? 0 : given.status;
    entry.ms = Math.round(performance.now() - startedAt);
    return given;
  }
}

function batchOf(request: SimRequest): { batch?: unknown } {
  const batch = request.params.get('batch');
  if (batch === undefined) return {};
  const shown = batch.replaceAll(SECRET_PARAM, `$1=${HIDDEN}`);
  return { batch: parseJson(shown) ?? shown };
}
