import { afterAll, beforeAll, beforeEach } from 'vitest';
import { ControlClient } from '../../scripts/outside/control-client.ts';
import type { SimServer } from '../kit/http.ts';
import { startMetaGraph } from './server.ts';

export const MAYA = '122093847561029384';
export const DANIEL = '122093847561055501';
export const MAYAS_ACCOUNT = 'act_1048576203948571';
export const DANIELS_ACCOUNT = 'act_2204891133870012';
export const [SPRING_SALE, HYDRATION, NEWSLETTER, ARCHIVED] = [
  '120209384750010001',
  '120209384750010038',
  '120209384750010075',
  '120209384750010186',
];

export interface GraphError {
  message: string;
  type: string;
  code?: number;
  error_subcode?: number;
  is_transient?: boolean;
  fbtrace_id: string;
}

export interface Reply<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  text: string;
  body: T & { error?: GraphError };
}

export interface BatchEntry {
  code: number;
  headers?: { name: string; value: string }[];
  body: string | null;
}

/** The control API of the platform, and calls of the Graph API with a user's token. */
export class GraphWorld extends ControlClient {
  token = '';

  /** Resets to the seed, with a new token for Maya. */
  async reset(): Promise<void> {
    await this.post('/reset');
    this.token = await this.tokenOf(MAYA);
  }

  async tokenOf(userId: string, scopes?: string[]): Promise<string> {
    const body = { userId, ...(scopes === undefined ? {} : { scopes }) };
    return (await this.post<{ access_token: string }>('/tokens', body)).access_token;
  }

  async call<T = Record<string, unknown>>(
    method: string,
    path: string,
    params: Record<string, string> = {},
    more: { token?: string; headers?: Record<string, string>; signal?: AbortSignal } = {},
  ): Promise<Reply<T>> {
    const inBody = method === 'POST';
    const fields = new URLSearchParams(params);
    const answer = await fetch(`${this.url}/v26.0/${path}${inBody ? '' : `?${fields.toString()}`}`, {
      method,
      headers: { authorization: `Bearer ${more.token ?? this.token}`, ...more.headers },
      ...(inBody ? { body: fields } : {}),
      ...(more.signal === undefined ? {} : { signal: more.signal }),
    });
    const text = await answer.text();
    const isJson = /^[[{]/.test(text) && /[\]}]$/.test(text);
    const body = (isJson ? JSON.parse(text) : {}) as Reply<T>['body'];
    return { status: answer.status, headers: answer.headers, text, body };
  }

  batch(operations: object[], more: Record<string, string> = {}): Promise<Reply<(BatchEntry | null)[]>> {
    return this.call<(BatchEntry | null)[]>('POST', '', { batch: JSON.stringify(operations), ...more });
  }

  pause(id: string): Promise<Reply> {
    return this.call('POST', id, { status: 'PAUSED' });
  }

  async statusOf(id: string): Promise<string> {
    return String((await this.call('GET', id, { fields: 'status' })).body['status']);
  }
}

/** A platform for the tests of one file, reset before each test. */
export function useGraph(onStart: (world: GraphWorld) => void): void {
  let world: GraphWorld;
  let server: SimServer;
  beforeAll(async () => {
    server = await startMetaGraph();
    world = new GraphWorld(server.url);
    onStart(world);
  });
  beforeEach(() => world.reset());
  afterAll(() => server.close());
}

export function pausing(...ids: string[]): object[] {
  return ids.map((id) => ({ method: 'POST', relative_url: id, body: 'status=PAUSED' }));
}
