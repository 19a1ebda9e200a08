import type { Incident, StatusState } from './state.ts';
import { changeStatus, freshState, now } from './state.ts';

/** Real incidents with their published times. Unpublished values are marked as assumed. */
export const INCIDENTS: Incident[] = [
  {
    id: '2026-01-09',
    title: '2026-01-09: High disruptions, Ads Delivery, 1 h 58',
    service: 'Ads Delivery',
    status: 'High disruptions',
    from: '2026-01-09T02:10:00Z',
    to: '2026-01-09T04:08:00Z',
  },
  {
    id: '2026-03-17',
    title: '2026-03-17: High disruptions, Ads Delivery, 1 h 34',
    service: 'Ads Delivery',
    status: 'High disruptions',
    from: '2026-03-17T00:30:00Z',
    to: '2026-03-17T02:04:00Z',
  },
  {
    id: '2025-09-09',
    title: '2025-09-09: Medium disruptions, Ads Delivery (its start is assumed)',
    service: 'Ads Delivery',
    status: 'Medium disruptions',
    from: '2025-09-09T19:05:00Z',
    to: '2025-09-09T20:53:00Z',
  },
  {
    id: '2026-02-11-reporting',
    title: '2026-02-11: High disruptions, Ads Reporting only (made up)',
    service: 'Ads Reporting',
    status: 'High disruptions',
    from: '2026-02-11T15:00:00Z',
    to: '2026-02-11T17:30:00Z',
  },
];

/** Starts with a page without disruptions. The returned times are real time. */
export function startReplay(
  state: StatusState,
  incident: Incident,
  { speed, fromSecondsBefore }: { speed: number; fromSecondsBefore: number },
): { startsAt: string; endsAt: string } {
  backToNormal(state);
  const startsAt = now(state) + (fromSecondsBefore * 1000) / speed;
  state.replay = { incident, speed, startsAt, isReported: false };
  const endsAt = startsAt + (Date.parse(incident.to) - Date.parse(incident.from)) / speed;
  const real = (at: number): string => new Date(at - state.clockOffsetMs).toISOString();
  return { startsAt: real(startsAt), endsAt: real(endsAt) };
}

/** Advances the page to the current time of the replay. The times served are the incident's own. */
export function advanceReplay(state: StatusState): void {
  const { replay } = state;
  if (replay === null) return;
  const { service, status, from, to } = replay.incident;
  const change = { org: 'ads-manager', service };
  const reached = Date.parse(from) + (now(state) - replay.startsAt) * replay.speed;
  if (!replay.isReported && reached >= Date.parse(from)) {
    changeStatus(state, { ...change, status, at: from });
    replay.isReported = true;
  }
  if (reached < Date.parse(to)) return;
  changeStatus(state, { ...change, status: 'Resolved', at: to });
  state.replay = null;
}

/** Stopped half-way, the page returns to no disruptions. */
export function stopReplay(state: StatusState): void {
  if (state.replay !== null) backToNormal(state);
}

/** Keeps the issued ids. */
function backToNormal(state: StatusState): void {
  state.replay = null;
  state.orgs = freshState().orgs;
  state.outages.clear();
}
