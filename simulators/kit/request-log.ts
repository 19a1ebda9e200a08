import type { SimAnswer, SimRequest } from './http.ts';
import { parseJson } from './http.ts';

interface LoggedRequest {
  at: string;
  method: string;
  path: string;
  secretInQuery: boolean;
  /** 0: still open, or the connection was cut. */
  status: number;
  batch?: unknown;
}

interface Tally {
  requests: number;
  /** Unix milliseconds. */
  firstAt: number | null;
  /** The maximum number of concurrent requests. */
  most: number;
}

const SECRETS = ['access_token', 'client_secret', 'input_token', 'fb_exchange_token'];
/** In the operations of a batch. */
const SECRET_PARAM = /\b(access_token|appsecret_proof|client_secret|input_token)=[^&\s"]*/g;
const KEPT = 20_000;

/** Every external request, for assertions, without secrets. */
export class RequestLog {
  #entries: LoggedRequest[] = [];
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
    this.#underWay += 1;
    this.#tally.requests += 1;
    this.#tally.firstAt ??= Date.now();
    this.#tally.most = Math.max(this.#tally.most, this.#underWay);
    const { method, path, query, params } = request;
    const batch = params.get('batch');
    const entry: LoggedRequest = {
      at: new Date().toISOString(),
      method,
      path,
      secretInQuery: SECRETS.some((name) => query.has(name)),
      status: 0,
      ...(batch !== undefined && { batch: parseJson(batch.replaceAll(SECRET_PARAM, '$1=[secret]')) }),
    };
    this.#entries.push(entry);
    if (this.#entries.length > KEPT) this.#entries.shift();
    const given = await answer().finally(() => (this.#underWay -= 1));
    entry.status = given === 'cut' ? 0 : given.status;
    return given;
  }
}
