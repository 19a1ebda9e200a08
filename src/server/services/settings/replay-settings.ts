import type { outageApi } from '#contract/outage-api.ts';
import type { QueryOf } from '#contract/endpoint.ts';
import type { ResumeSettings } from '#core/settings.ts';
import { DEFAULT_DELAY, clampDelay } from '#core/settings.ts';
import { YEAR_MS, outagesOfIncidents } from '#core/outages/incident.ts';
import { replayOutages } from '#core/outages/replay.ts';
import { findTimeZones } from '../../db/ad-accounts.ts';
import type { User } from '../../db/users/users.ts';
import type { IncidentDeps } from '../status/public-status.ts';
import { readIncidents } from '../status/public-status.ts';

type ReplayQuery = QueryOf<typeof outageApi.replayOutages>;

/** Meta's outages of the last twelve months with this threshold and resume mode. */
export async function replaySettings(deps: IncidentDeps, user: User, query: ReplayQuery) {
  const now = deps.clock.now();
  const since = now - YEAR_MS;
  const { incidents, recordedSince } = await readIncidents(deps, now);
  // Our own record replaces what others have published since it began.
  const outages = outagesOfIncidents(incidents).filter(
    ({ startedAt, source }) =>
      startedAt >= since && (source === 'record' || startedAt < (recordedSince ?? Infinity)),
  );
  const choice = {
    threshold: query.threshold ?? user.threshold,
    resume: resumeOf(query) ?? user.resumeSettings,
    timeZones: await findTimeZones(deps.db, user.id),
  };
  const { replays, pausedMs } = replayOutages(outages, choice);
  return {
    since,
    pausedMs,
    replays: replays.toReversed().map(({ outage, pausedAt, resumedAt }) => {
      const { startedAt, endedAt, peak, source } = outage;
      return { startedAt, endedAt, peak, source, pausedAt, resumedAt };
    }),
  };
}

function resumeOf({ mode, value, zone, unit = DEFAULT_DELAY.unit }: ReplayQuery): ResumeSettings | null {
  if (mode === undefined) return null;
  if (mode === 'instant') return { mode };
  if (mode === 'next_day') return { mode, ...(zone !== undefined && { zone }) };
  return { mode, delay: value === undefined ? DEFAULT_DELAY : clampDelay({ value: Number(value), unit }) };
}
