import type { FaultInput } from '../../simulators/kit/faults.ts';

/** An accepted status write, as the simulator records it. */
export interface PlatformWrite {
  at: string;
  campaign: string;
  account: string;
  status: string;
  previous: string;
  token_user: string | null;
}

export interface LoggedRequest {
  method: string;
  path: string;
  status: number;
  secretInQuery: boolean;
  batch?: { method: string; relative_url: string; body?: string }[];
}

interface SimulatedCampaign {
  id: string;
  account: string;
  name: string;
  status: string;
}

/** Client of a simulator's control API `/_sim`, for tests and scripts. */
export class ControlClient {
  readonly url: string;
  /** A request to the simulator; in its own process a call. */
  readonly fetch: typeof fetch;

  constructor(url: string, send: typeof fetch = fetch) {
    this.url = url;
    this.fetch = send;
  }

  async ask<T = unknown>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<T> {
    const answer = await this.fetch(`${this.url}/_sim${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const json = (await answer.json()) as T & { error?: string };
    if (!answer.ok || json.error !== undefined)
      throw new Error(`${method} ${path}: ${json.error ?? answer.status}`);
    return json;
  }

  post<T = unknown>(path: string, body: object = {}): Promise<T> {
    return this.ask<T>('POST', path, body);
  }

  /** Orders a fault. @returns its id */
  async fault(body: FaultInput): Promise<number> {
    return (await this.post<{ id: number }>('/faults', body)).id;
  }

  async parked(fault: number): Promise<number> {
    const { faults } = await this.ask<{ faults: { id: number; parked: number }[] }>('GET', '/faults');
    return faults.find(({ id }) => id === fault)?.parked ?? 0;
  }

  async writes(): Promise<PlatformWrite[]> {
    return (await this.ask<{ writes: PlatformWrite[] }>('GET', '/writes')).writes;
  }

  /** The names of Meta's users, by id. */
  async names(): Promise<Map<string, string>> {
    const { users } = await this.ask<{ users: { id: string; name: string }[] }>('GET', '/state');
    return new Map(users.map(({ id, name }) => [id, name]));
  }

  async requests(): Promise<LoggedRequest[]> {
    return (await this.ask<{ requests: LoggedRequest[] }>('GET', '/requests')).requests;
  }

  async campaigns(): Promise<Map<string, SimulatedCampaign>> {
    const { campaigns } = await this.ask<{ campaigns: SimulatedCampaign[] }>('GET', '/state');
    return new Map(campaigns.map((campaign) => [campaign.id, campaign]));
  }

  /** Sets the status of ad delivery on the status page. */
  reports(status: string): Promise<unknown> {
    return this.post('/status', { status });
  }
}
