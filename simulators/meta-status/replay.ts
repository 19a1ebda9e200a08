import { INCIDENTS } from './incidents.ts';
import type { StatusState } from './state.ts';
import { changeStatus, freshState, now } from './state.ts';

export interface ReplayOrder {
  incident: string;
  speed: number;
  /** Seconds of the incident's own time before its first post. */
  fromSecondsBefore: number;
}

/** Begins with a page on which all is well. The answer is in real time. */
export function startReplay(state: StatusState, order: ReplayOrder): { startsAt: string; endsAt: string } {
  const incident = INCIDENTS.find(({ id }) => id === order.incident);
  const [first, last] = [incident?.posts[0], incident?.posts.at(-1)];
  if (incident === undefined || first === undefined || last === undefined)
    throw new Error('an incident without posts');
  backToNormal(state);
  const startsAt = now(state) + (order.fromSecondsBefore * 1000) / order.speed;
  state.replay = { incident, speed: order.speed, startsAt, posted: 0 };
  const endsAt = startsAt + (Date.parse(last.at) - Date.parse(first.at)) / order.speed;
  const real = (at: number): string => new Date(at - state.clockOffsetMs).toISOString();
  return { startsAt: real(startsAt), endsAt: real(endsAt) };
}

/** Brings the page to where the replay is by now. The times served are the incident's own. */
export function advanceReplay(state: StatusState): void {
  const { replay } = state;
  const first = replay?.incident.posts[0];
  if (replay === null || first === undefined) return;
  const reached = Date.parse(first.at) + (now(state) - replay.startsAt) * replay.speed;
  for (const post of replay.incident.posts.slice(replay.posted)) {
    if (Date.parse(post.at) > reached) break;
    changeStatus(state, post);
    replay.posted += 1;
  }
  if (replay.posted === replay.incident.posts.length) state.replay = null;
}

/** Stopped half-way, the page goes back to where all is well. */
export function stopReplay(state: StatusState): void {
  if (state.replay !== null) backToNormal(state);
}

/** History stays, and so do the ids that have been given out. */
function backToNormal(state: StatusState): void {
  state.replay = null;
  state.orgs = freshState().orgs;
  state.outages.clear();
}
