import type { Incident } from './incidents.ts';
import { OK, ORGS } from './orgs.ts';

export interface Service {
  id: number;
  name: string;
  status: string;
  time: string | null;
}

export interface Org {
  id: string;
  name: string;
  rss_file_paths: string[];
  services: Service[];
}

interface Post {
  status: string;
  description: string;
  time: string;
}

export interface Outage {
  id: string;
  service_id: number;
  status: string;
  time: string;
  posts: Post[];
}

interface Replay {
  incident: Incident;
  speed: number;
  /** When on this clock the incident's first post appears. */
  startsAt: number;
  posted: number;
}

export interface StatusState {
  orgs: Org[];
  outages: Map<string, Outage[]>;
  history: Map<string, Outage[]>;
  replay: Replay | null;
  nextOutage: number;
  clockOffsetMs: number;
}

const LAST_CHANGED = '2025-11-03T09:12:00Z';

export function freshState(): StatusState {
  return {
    orgs: ORGS.map(([id, name, services]) => ({
      id,
      name,
      rss_file_paths: [`outage-events-feed-${id}.rss`],
      services: services.map(([number, service]) => ({
        id: number,
        name: service,
        status: OK,
        time: LAST_CHANGED,
      })),
    })),
    outages: new Map(),
    history: new Map(),
    replay: null,
    nextOutage: 1,
    clockOffsetMs: 0,
  };
}

export function now(state: StatusState): number {
  return Date.now() + state.clockOffsetMs;
}

export interface StatusChange {
  org: string;
  service: string;
  status: string;
  description?: string | undefined;
  only?: 'orgs' | 'outages' | undefined;
  at: string;
}

export function isOver(status: string): boolean {
  return /^(no known issues|resolved)/i.test(status);
}

/** Sets a service's line and keeps its outage record: opened, continued by a post, or resolved. False: no such service. */
export function changeStatus(state: StatusState, change: StatusChange): boolean {
  const org = state.orgs.find(({ id }) => id === change.org);
  const service = org?.services.find(({ name }) => name === change.service);
  if (service === undefined) return false;
  if (change.only !== 'outages') {
    service.status = isOver(change.status) ? OK : change.status;
    service.time = change.at;
  }
  if (change.only !== 'orgs') recordPost(state, service.id, change);
  return true;
}

function recordPost(state: StatusState, serviceId: number, change: StatusChange): void {
  const outages = state.outages.get(change.org) ?? [];
  const open = outages.find((outage) => outage.service_id === serviceId && !isOver(outage.status));
  const over = isOver(change.status);
  if (open === undefined && over) return;
  const status = over ? 'Resolved' : change.status;
  const post = { status, description: change.description ?? describe(over), time: change.at };
  if (open === undefined) {
    const id = `10${String(state.nextOutage++).padStart(6, '0')}`;
    const fresh: Outage = { id, service_id: serviceId, status, time: change.at, posts: [post] };
    state.outages.set(change.org, [fresh, ...outages]);
    return;
  }
  open.status = status;
  open.posts.push(post);
  if (over) state.history.set(change.org, [open, ...(state.history.get(change.org) ?? [])]);
}

function describe(over: boolean): string {
  return over
    ? 'We have recovered from an earlier outage impacting ad delivery across our platform, and services have now been restored. We apologize for any inconvenience that this may have caused.'
    : 'We are aware of an issue that may be impacting ad delivery. Our engineering teams are aware and are actively looking to resolve the issue as quickly as possible.';
}
