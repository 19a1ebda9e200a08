import type { StatusState } from './state.ts';
import { changeStatus, freshState, now } from './state.ts';

/** Meta's outage of January 8, 2026, in New York, with its published times. */
const INCIDENT = { status: 'High disruptions', from: '2026-01-09T02:10:00Z', to: '2026-01-09T04:08:00Z' };
const [FROM, TO] = [Date.parse(INCIDENT.from), Date.parse(INCIDENT.to)];
const CHANGED = { org: 'ads-manager', service: 'Ads Delivery' };

/**
 * Starts with a page without disruptions. The returned times are real time.
 * @param pace.fromSecondsBefore in seconds of the incident
 */
export function startReplay(
  state: StatusState,
  { speed, fromSecondsBefore }: { speed: number; fromSecondsBefore: number },
): { startsAt: string; endsAt: string } {
  backToNormal(state);
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
    changeStatus(state, { ...CHANGED, status: INCIDENT.status, at: INCIDENT.from });
    replay.isReported = true;
  }
  if (reached < TO) return;
  changeStatus(state, { ...CHANGED, status: 'Resolved', at: INCIDENT.to });
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
