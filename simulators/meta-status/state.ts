export const OK = 'No known issues';
const LAST_CHANGED = '2025-11-03T09:12:00Z';

/** Products with their services, in which SmartPause looks for ad delivery and login. */
const ORGS: [id: string, name: string, services: string[]][] = [
  ['ads-manager', 'Facebook Ads Manager', ['Ads Creation and Editing', 'Ads Delivery', 'Ads Reporting']],
  ['marketing-api', 'Marketing API', ['Marketing API']],
  ['graph-api', 'Graph API', ['Platform Status']],
  ['facebook-login', 'Facebook Login', ['Facebook Login']],
];

export interface Outage {
  id: string;
  service_id: number;
  status: string;
  time: string;
  posts: { status: string; description: string; time: string }[];
}

interface Org {
  id: string;
  name: string;
  services: { id: number; name: string; status: string; time: string }[];
}

/** What the page says. */
export interface Content {
  orgs: Org[];
  outages: Map<string, Outage[]>;
}
type Former = Content & { until: number };

export function freshState() {
  const line = (name: string, index: number) => ({ id: index + 1, name, status: OK, time: LAST_CHANGED });
  return {
    orgs: ORGS.map(([id, name, services]): Org => ({ id, name, services: services.map(line) })),
    outages: new Map<string, Outage[]>(),
    /** When the replayed outage ends; null: none is replayed. */
    replayEndsAt: null as number | null,
    nextOutage: 1,
    /** What the page said until its last changes, for old copies of it. */
    former: [] as Former[],
    clockOffsetMs: 0,
  };
}
export type StatusState = ReturnType<typeof freshState>;

export function now(state: StatusState): number {
  return Date.now() + state.clockOffsetMs;
}

interface StatusChange {
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
  keepFormer(state);
  if (change.only !== 'outages') {
    service.status = isOver(change.status) ? OK : change.status;
    service.time = change.at;
  }
  if (change.only !== 'orgs') recordPost(state, service.id, change);
  return true;
}

const FORMER_MOST = 50;

function keepFormer(state: StatusState): void {
  const { orgs, outages } = structuredClone({ orgs: state.orgs, outages: state.outages });
  state.former = [...state.former, { until: now(state), orgs, outages }].slice(-FORMER_MOST);
}

/** What the page said at that time. */
export function contentAt(state: StatusState, at: number): Content {
  return state.former.find(({ until }) => until > at) ?? state;
}

function recordPost(state: StatusState, serviceId: number, change: StatusChange): void {
  const outages = state.outages.get(change.org) ?? [];
  const open = outages.find((outage) => outage.service_id === serviceId && !isOver(outage.status));
  const over = isOver(change.status);
  if (open === undefined && over) return;
  const status = over ? 'Resolved' : change.status;
  const description = over ? 'Services have been restored.' : 'We are aware of an issue with ad delivery.';
  const post = { status, description, time: change.at };
  if (open !== undefined) {
    open.status = status;
    open.posts.push(post);
    return;
  }
  const id = `10${String(state.nextOutage++).padStart(6, '0')}`;
  const outage = { id, service_id: serviceId, status, time: change.at, posts: [post] };
  state.outages.set(change.org, [outage, ...outages]);
}

const DELIVERY = { org: 'ads-manager', service: 'Ads Delivery' };

/** Starts with a page without disruptions. The outage has the times of today, and is no part of January 8. */
export function startReplay(state: StatusState, { seconds }: { seconds: number }) {
  stopReplay(state);
  const startsAt = now(state);
  const endsAt = startsAt + seconds * 1000;
  const at = new Date(startsAt).toISOString();
  changeStatus(state, { ...DELIVERY, status: 'High disruptions', at });
  state.replayEndsAt = endsAt;
  return { startsAt: at, endsAt: new Date(endsAt).toISOString() };
}

/** Ends a replay whose time is over. */
export function advanceReplay(state: StatusState): void {
  const { replayEndsAt } = state;
  if (replayEndsAt === null || now(state) < replayEndsAt) return;
  changeStatus(state, { ...DELIVERY, status: 'Resolved', at: new Date(replayEndsAt).toISOString() });
  state.replayEndsAt = null;
}

/** The page returns to no disruptions. Outage ids are not used again. */
export function stopReplay(state: StatusState): void {
  const { orgs, outages, replayEndsAt } = freshState();
  Object.assign(state, { orgs, outages, replayEndsAt });
}
