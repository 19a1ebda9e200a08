import type { Instant } from '../time.ts';
import type { Certainty, Incident } from './incident.ts';
import type { KnownLevel } from './level.ts';

interface Documented {
  day: string;
  /** Null: unknown or disputed. */
  felt: string | null;
  posted: string | null;
  ended: string | null;
  level: KnownLevel;
  components: string[];
  publishedBy: string;
  certainty: Certainty;
}

/** Published incidents of Meta's services, in UTC: no public archive of the status page exists. */
const DOCUMENTED: readonly Documented[] = [
  {
    day: '2021-10-04',
    felt: '2021-10-04T15:39Z',
    posted: null,
    ended: '2021-10-04T22:50Z',
    level: 'HIGH_DISRUPTION',
    components: ['All services'],
    publishedBy: 'Wikipedia; Meta’s business update on the October 4th outage',
    certainty: 'high',
  },
  {
    day: '2022-11-10',
    felt: '2022-11-10T03:30Z',
    posted: null,
    ended: null,
    level: 'HIGH_DISRUPTION',
    components: ['Facebook Login', 'Ads Manager'],
    publishedBy: 'Republic World; India TV News',
    certainty: 'medium',
  },
  {
    day: '2023-04-23',
    felt: '2023-04-23T08:00Z',
    posted: null,
    ended: '2023-04-24T01:45Z',
    level: 'HIGH_DISRUPTION',
    components: ['Ads Delivery'],
    publishedBy: 'CNBC; Silicon Republic; MediaPost (end disputed)',
    certainty: 'medium',
  },
  {
    day: '2024-03-05',
    felt: '2024-03-05T15:00Z',
    posted: '2024-03-05T15:17Z',
    ended: '2024-03-05T18:40Z',
    level: 'HIGH_DISRUPTION',
    components: ['Facebook Login', 'Graph API', 'Marketing API', 'Ads Manager'],
    publishedBy: 'ThousandEyes; Mynavi',
    certainty: 'high',
  },
  {
    day: '2024-12-11',
    felt: '2024-12-11T17:36Z',
    posted: null,
    ended: '2024-12-12T00:21Z',
    level: 'HIGH_DISRUPTION',
    components: ['Ads Manager', 'Graph API', 'Marketing API'],
    publishedBy: 'TechBrunch; SecurityTicks',
    certainty: 'medium',
  },
  {
    day: '2025-09-09',
    felt: null,
    posted: null,
    ended: '2025-09-09T20:53Z',
    level: 'MEDIUM_DISRUPTION',
    components: ['Ads Delivery'],
    publishedBy: 'adstatus.app',
    certainty: 'medium',
  },
  {
    day: '2026-01-09',
    felt: '2026-01-09T01:30Z',
    posted: '2026-01-09T02:10Z',
    ended: '2026-01-09T04:08Z',
    level: 'HIGH_DISRUPTION',
    components: ['Ads Delivery'],
    publishedBy: 'adstatus.app',
    certainty: 'high',
  },
  {
    day: '2026-03-03',
    felt: null,
    posted: null,
    ended: null,
    level: 'HIGH_DISRUPTION',
    components: ['Ads Manager', 'WhatsApp Business API', 'Facebook Login'],
    publishedBy: 'International Business Times; chb44 (start disputed)',
    certainty: 'low',
  },
  {
    day: '2026-03-17',
    felt: null,
    posted: '2026-03-17T00:30Z',
    ended: '2026-03-17T02:04Z',
    level: 'HIGH_DISRUPTION',
    components: ['Ads Delivery'],
    publishedBy: 'adstatus.app',
    certainty: 'high',
  },
  {
    day: '2026-06-12',
    felt: '2026-06-12T13:28Z',
    posted: '2026-06-12T14:15Z',
    ended: '2026-06-12T15:30Z',
    level: 'HIGH_DISRUPTION',
    components: ['Ads Creation and Editing'],
    publishedBy: 'HNGN; type0.ai; run1ads',
    certainty: 'medium',
  },
];

/** @param isWatched whether SmartPause pauses for a component with this name */
export function documentedIncidents(isWatched: (component: string) => boolean): Incident[] {
  return DOCUMENTED.map(({ day, felt, posted, ended, level, components, publishedBy, certainty }) => {
    const startedAt = instantOf(posted);
    const endedAt = instantOf(ended);
    return {
      source: 'documented',
      ...{ publishedBy, certainty, components, startedAt, endedAt },
      feltAt: instantOf(felt),
      isWatched: components.some((name) => name === 'All services' || isWatched(name)),
      peak: level,
      isOpen: false,
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

function instantOf(text: string | null): Instant | null {
  return text === null ? null : Date.parse(text);
}
