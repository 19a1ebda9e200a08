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

interface Replay {
  speed: number;
  /** When, on this clock, the incident is reported. */
  startsAt: number;
  isReported: boolean;
}

export function freshState() {
  const line = (name: string, index: number) => ({ id: index + 1, name, status: OK, time: LAST_CHANGED });
  return {
    orgs: ORGS.map(([id, name, services]) => ({ id, name, services: services.map(line) })),
    outages: new Map<string, Outage[]>(),
    replay: null as Replay | null,
    nextOutage: 1,
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

/** Meta's outage of January 8, 2026, in New York, with its published times. */
const INCIDENT = { status: 'High disruptions', from: '2026-01-09T02:10:00Z', to: '2026-01-09T04:08:00Z' };
const [FROM, TO] = [Date.parse(INCIDENT.from), Date.parse(INCIDENT.to)];
const DELIVERY = { org: 'ads-manager', service: 'Ads Delivery' };

/**
 * Starts with a page without disruptions. The returned times are real time.
 * @param pace.fromSecondsBefore in seconds of the incident
 */
export function startReplay(
  state: StatusState,
  { speed, fromSecondsBefore }: { speed: number; fromSecondsBefore: number },
): { startsAt: string; endsAt: string } {
  stopReplay(state);
  const startsAt = now(state) + (fromSecondsBefore * 1000) / speed;
  state.replay = { speed, startsAt, isReported: false };
  const real = (at: number): string => new Date(at - state.clockOffsetMs).toISOString();
  return { startsAt: real(startsAt), endsAt: real(startsAt + (TO - FROM) / speed) };
}

/** Advances the page to the current time of the replay. The times served are the incident's own. */
export function advanceReplay(state: StatusState): void {
  const { replay } = state;
  if (replay === null) return;
  const reached = FROM + (now(state) - replay.startsAt) * replay.speed;
  if (!replay.isReported && reached >= FROM) {
    changeStatus(state, { ...DELIVERY, status: INCIDENT.status, at: INCIDENT.from });
    replay.isReported = true;
  }
  if (reached < TO) return;
  changeStatus(state, { ...DELIVERY, status: 'Resolved', at: INCIDENT.to });
  state.replay = null;
}

/** The page returns to no disruptions. Outage ids are not used again. */
export function stopReplay(state: StatusState): void {
  const { orgs, outages } = freshState();
  Object.assign(state, { orgs, outages, replay: null });
}
