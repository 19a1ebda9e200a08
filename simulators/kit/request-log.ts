import type { SimAnswer, SimRequest } from './http.ts';
import { parseJson } from './http.ts';

export interface LoggedRequest {
  method: string;
  path: string;
  secretInQuery: boolean;
  /** 0: still open, or the connection was cut. */
  status: number;
  batch?: unknown;
}

const SECRETS = ['access_token', 'client_secret', 'input_token', 'fb_exchange_token'];
/** In the operations of a batch. */
const SECRET_PARAM = /\b(access_token|appsecret_proof|client_secret|input_token)=[^&\s"]*/g;
const KEPT = 20_000;

/** Every external request, for assertions, without secrets. */
export class RequestLog {
  entries: LoggedRequest[] = [];
  /** Since the log was cleared, including requests that are no longer kept. */
  tally: { requests: number; firstAt: number | null } = { requests: 0, firstAt: null };

  clear(): void {
    this.entries = [];
    this.tally = { requests: 0, firstAt: null };
  }

  async around(request: SimRequest, answer: () => Promise<SimAnswer>): Promise<SimAnswer> {
    this.tally.requests += 1;
    this.tally.firstAt ??= Date.now();
    const { method, path, query, params } = request;
    const batch = params.get('batch')?.replaceAll(SECRET_PARAM, '$1=[secret]');
    const secretInQuery = SECRETS.some((name) => query.has(name));
    const entry: LoggedRequest = { method, path, secretInQuery, status: 0 };
    if (batch !== undefined) entry.batch = parseJson(batch);
    this.entries.push(entry);
    if (this.entries.length > KEPT) this.entries.shift();
    const given = await answer();
    entry.status = given === 'cut' ? 0 : given.status;
    return given;
  }
}
