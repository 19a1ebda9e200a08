import type { Instant } from '../time.ts';
import type { Certainty, Incident } from './incident.ts';
import type { KnownLevel } from '../smartpause/level.ts';

/**
 * Published incidents of Meta's services: no public archive of the status page exists. Times are UTC; '?': unknown or
 * disputed. Columns: day, felt by advertisers, posted by Meta, ended, level, certainty, components, publications.
 */
const DOCUMENTED = `
2021-10-04 | 2021-10-04T15:39Z | ?                 | 2021-10-04T22:50Z | HIGH_DISRUPTION   | high   | All services | Wikipedia, Meta’s business update on the October 4th outage
2022-11-10 | 2022-11-10T03:30Z | ?                 | ?                 | HIGH_DISRUPTION   | medium | Facebook Login, Ads Manager | Republic World, India TV News
2023-04-23 | 2023-04-23T08:00Z | ?                 | 2023-04-24T01:45Z | HIGH_DISRUPTION   | medium | Ads Delivery | CNBC, Silicon Republic, MediaPost (end disputed)
2024-03-05 | 2024-03-05T15:00Z | 2024-03-05T15:17Z | 2024-03-05T18:40Z | HIGH_DISRUPTION   | high   | Facebook Login, Graph API, Marketing API, Ads Manager | ThousandEyes, Mynavi
2024-12-11 | 2024-12-11T17:36Z | ?                 | 2024-12-12T00:21Z | HIGH_DISRUPTION   | medium | Ads Manager, Graph API, Marketing API | TechBrunch, SecurityTicks
2025-09-09 | ?                 | ?                 | 2025-09-09T20:53Z | MEDIUM_DISRUPTION | medium | Ads Delivery | adstatus.app
2026-01-09 | 2026-01-09T01:30Z | 2026-01-09T02:10Z | 2026-01-09T04:08Z | HIGH_DISRUPTION   | high   | Ads Delivery | adstatus.app
2026-03-03 | ?                 | ?                 | ?                 | HIGH_DISRUPTION   | low    | Ads Manager, WhatsApp Business API, Facebook Login | International Business Times, chb44 (start disputed)
2026-03-17 | ?                 | 2026-03-17T00:30Z | 2026-03-17T02:04Z | HIGH_DISRUPTION   | high   | Ads Delivery | adstatus.app
2026-06-12 | 2026-06-12T13:28Z | 2026-06-12T14:15Z | 2026-06-12T15:30Z | HIGH_DISRUPTION   | medium | Ads Creation and Editing | HNGN, type0.ai, run1ads
`;

/** @param isWatched whether SmartPause pauses for a component with this name */
export function documentedIncidents(isWatched: (component: string) => boolean): Incident[] {
  return DOCUMENTED.trim()
    .split('\n')
    .map((row) => {
      const [day = '', felt, posted, ended, peak, certainty, names = '', publishedBy = ''] =
        row.split(/ *\| /);
      const components = names.split(', ');
      const level = peak as KnownLevel;
      const startedAt = instantOf(posted);
      const endedAt = instantOf(ended);
      return {
        ...{ source: 'documented', certainty: certainty as Certainty, publishedBy, components, peak: level },
        ...{ feltAt: instantOf(felt), startedAt, endedAt, isOpen: false },
        isWatched: components.some((name) => name === 'All services' || isWatched(name)),
        levels:
          startedAt === null || endedAt === null
            ? []
            : [
                { level, at: startedAt },
                { level: 'UP', at: endedAt },
              ],
        // Noon in UTC is on the same day in New York.
        dayOf: Date.parse(`${day}T12:00Z`),
      };
    });
}

function instantOf(text = '?'): Instant | null {
  return text === '?' ? null : Date.parse(text);
}
