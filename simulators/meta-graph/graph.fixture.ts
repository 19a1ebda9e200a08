import { afterAll, beforeAll, beforeEach } from 'vitest';
import { ControlClient } from '../../scripts/outside/control-client.ts';
import type { SimServer } from '../kit/http.ts';
import { startMetaGraph } from './server.ts';

export const MAYA = '122093847561029384';
export const ACCOUNT = 'act_1048576203948571';
export const [SALE, SERUM, NEWSLETTER, ARCHIVED] = [
  '104857620390010001',
  '104857620390010038',
  '104857620390010075',
  '104857620390010186',
];

interface GraphError {
  message: string;
  code?: number;
  error_subcode?: number;
}

interface Reply<T> {
  status: number;
  headers: Headers;
  text: string;
  body: T & { error?: GraphError };
}

export interface BatchEntry {
  code: number;
  body: string;
}

/** The control API of the platform, and calls of the Graph API with a user's token. */
export class GraphWorld extends ControlClient {
  token = '';

  async tokenOf(userId: string, scopes?: string[]): Promise<string> {
    return (await this.post<{ access_token: string }>('/tokens', { userId, scopes })).access_token;
  }

  async call<T = Record<string, unknown>>(
    method: string,
    path: string,
    params: Record<string, string> = {},
    { token = this.token, signal = null }: { token?: string; signal?: AbortSignal | null } = {},
  ): Promise<Reply<T>> {
    const fields = new URLSearchParams(params);
    const answer = await fetch(
      `${this.url}/v26.0/${path}${method === 'POST' ? '' : `?${fields.toString()}`}`,
      {
        method,
        headers: { authorization: `Bearer ${token}` },
        body: method === 'POST' ? fields : null,
        signal,
      },
    );
    const text = await answer.text();
    const isJson = /^[[{].*[\]}]$/s.test(text);
    const body = (isJson ? JSON.parse(text) : {}) as Reply<T>['body'];
    return { status: answer.status, headers: answer.headers, text, body };
  }

  batch(operations: object[]): Promise<Reply<(BatchEntry | null)[]>> {
    return this.call('POST', '', { batch: JSON.stringify(operations) });
  }

  pause(id: string, signal?: AbortSignal): Promise<Reply<Record<string, unknown>>> {
    return this.call('POST', id, { status: 'PAUSED' }, signal === undefined ? {} : { signal });
  }

  async statusOf(id: string): Promise<unknown> {
    return (await this.call('GET', id, { fields: 'status' })).body['status'];
  }

  async paused(): Promise<string[]> {
    return (await this.writes()).map(({ campaign }) => campaign);
  }
}

/** A platform for the tests of one file, reset to the seed before each test, with a new token for Maya. */
export function useGraph(onStart: (world: GraphWorld) => void): void {
  let world: GraphWorld;
  let server: SimServer;
  beforeAll(async () => {
    server = await startMetaGraph();
    world = new GraphWorld(server.url);
    onStart(world);
  });
  beforeEach(async () => {
    await world.post('/reset');
    world.token = await world.tokenOf(MAYA);
  });
  afterAll(() => server.close());
}

export function pausing(...ids: string[]): object[] {
  return ids.map((id) => ({ method: 'POST', relative_url: id, body: 'status=PAUSED' }));
}
