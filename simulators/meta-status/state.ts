export const OK = 'No known issues';
const LAST_CHANGED = '2025-11-03T09:12:00Z';

/** Products with their services, in which SmartPause looks for ad delivery and login. */
const ORGS: [id: string, name: string, services: [id: number, name: string][]][] = [
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
];

export interface Org {
  id: string;
  name: string;
  services: { id: number; name: string; status: string; time: string }[];
}

export interface Outage {
  id: string;
  service_id: number;
  status: string;
  time: string;
  posts: { status: string; description: string; time: string }[];
}

interface Replay {
  speed: number;
  /** When, on this clock, the incident is reported. */
  startsAt: number;
  isReported: boolean;
}

export interface StatusState {
  orgs: Org[];
  outages: Map<string, Outage[]>;
  replay: Replay | null;
  nextOutage: number;
  clockOffsetMs: number;
}

export function freshState(): StatusState {
  return {
    orgs: ORGS.map(([id, name, services]) => ({
      id,
      name,
      services: services.map(([number, service]) => ({
        id: number,
        name: service,
        status: OK,
        time: LAST_CHANGED,
      })),
    })),
    outages: new Map(),
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
  only?: 'orgs' | 'outages' | undefined;
  at: string;
}

export function isOver(status: string): boolean {
  return /^(no known issues|resolved)/i.test(status);
}

/** Sets a service's line and opens, continues or resolves its outage. False: unknown service. */
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

const REPORTED =
  'We are aware of an issue that may be impacting ad delivery. Our engineering teams are aware and are actively looking to resolve the issue as quickly as possible.';
const RECOVERED =
  'We have recovered from an earlier outage impacting ad delivery across our platform, and services have now been restored. We apologize for any inconvenience that this may have caused.';

function recordPost(state: StatusState, serviceId: number, { org, status: given, at }: StatusChange): void {
  const outages = state.outages.get(org) ?? [];
  const open = outages.find((outage) => outage.service_id === serviceId && !isOver(outage.status));
  const over = isOver(given);
  if (open === undefined && over) return;
  const status = over ? 'Resolved' : given;
  const post = { status, description: over ? RECOVERED : REPORTED, time: at };
  if (open !== undefined) {
    open.status = status;
    open.posts.push(post);
    return;
  }
  const id = `10${String(state.nextOutage++).padStart(6, '0')}`;
  state.outages.set(org, [{ id, service_id: serviceId, status, time: at, posts: [post] }, ...outages]);
}
