import type { Incident } from './incidents.ts';

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

export interface Post {
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

export interface Replay {
  incident: Incident;
  speed: number;
  /** Real time at which the incident's first post appears. */
  startsAt: number;
  posted: number;
}

export interface StatusState {
  orgs: Org[];
  outages: Map<string, Outage[]>;
  history: Map<string, Outage[]>;
  replay: Replay | null;
  nextOutage: number;
}

export const OK = 'No known issues';

const ORGS: [id: string, name: string, services: [number, string][]][] = [
  [
    'ads-manager',
    'Facebook Ads Manager',
    [
      [1, 'Ads Creation and Editing'],
      [2, 'Ads Delivery'],
      [3, 'Ads Reporting'],
    ],
  ],
  ['marketing-api', 'Marketing API', [[1, 'Marketing API']]],
  ['graph-api', 'Graph API', [[3, 'Platform Status']]],
  ['facebook-login', 'Facebook Login', [[1, 'Facebook Login']]],
  ['fbs', 'Meta Business Suite', [[1, 'Meta Business Suite']]],
  ['catalog', 'Catalog', [[1, 'Catalog Manager']]],
  ['fb-ig-shops', 'Facebook and Instagram Shops', [[1, 'Shops']]],
  ['audience-network', 'Meta Audience Network', [[1, 'Ads Serving']]],
  ['ctx', 'Messaging Ads', [[1, 'Messaging Ads']]],
  ['ig-boost', 'Instagram Boost', [[1, 'Instagram Boost']]],
  ['admin-center', 'Meta Admin Center', [[1, 'Admin Center']]],
  ['messenger', 'Messenger Platform', [[1, 'Messenger Platform']]],
  [
    'whatsapp-business-api',
    'WhatsApp Business Platform',
    [
      [1, 'Cloud API'],
      [4, 'Account Management'],
    ],
  ],
];

export function freshState(): StatusState {
  return {
    orgs: ORGS.map(([id, name, services]) => ({
      id,
      name,
      rss_file_paths: [`outage-events-feed-${id}.rss`],
      services: services.map(([number, service]) => ({ id: number, name: service, status: OK, time: null })),
    })),
    outages: new Map(),
    history: new Map(),
    replay: null,
    nextOutage: 1,
  };
}

export interface StatusChange {
  org: string;
  service: string;
  status: string;
  description?: string | undefined;
  only?: 'orgs' | 'outages' | undefined;
  at: string;
}

export function isOk(status: string): boolean {
  return /^(no known issues|resolved)/i.test(status);
}

/** Sets a service's line and keeps its outage record: opened, continued by a post, or resolved. */
export function changeStatus(state: StatusState, change: StatusChange): string | null {
  const org = state.orgs.find(({ id }) => id === change.org);
  const service = org?.services.find(({ name }) => name === change.service);
  if (service === undefined) return `there is no service '${change.service}' of '${change.org}'`;
  if (change.only !== 'outages') {
    service.status = /^resolved/i.test(change.status) ? OK : change.status;
    service.time = change.at;
  }
  if (change.only !== 'orgs') recordPost(state, service.id, change);
  return null;
}

function recordPost(state: StatusState, serviceId: number, change: StatusChange): void {
  const outages = state.outages.get(change.org) ?? [];
  const open = outages.find((outage) => outage.service_id === serviceId && !isOk(outage.status));
  const over = isOk(change.status);
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
