import type { ResumeSettings } from '../../../src/core/settings.ts';
import type { THRESHOLDS } from '../../../src/core/smartpause/level.ts';
import type { Service, NetworkFault } from '../world/network.ts';

export const PHRASES = {
  UP: 'No Known Issues',
  LOW_DISRUPTION: 'Low disruptions',
  MEDIUM_DISRUPTION: 'Medium disruptions',
  HIGH_DISRUPTION: 'High disruptions',
} as const;
export type Level = keyof typeof PHRASES;
export const LEVELS = Object.keys(PHRASES) as Level[];

/** Those of them that refuse a write for good. */
export const FINAL_CODES: readonly number[] = [100, 9999];
/** One code for each error class of Meta. */
export const PLATFORM_ERRORS = [
  { code: 2 },
  { code: 1 },
  { code: 4 },
  { code: 17 },
  { code: 613, subcode: 5_044_001 },
  { code: 80_004 },
  { code: 190 },
  { code: 190, transient: true },
  { code: 102 },
  { code: 10 },
  { code: 200 },
  { code: 368 },
  { code: 100 },
  { code: 100, subcode: 33 },
  { code: 2635 },
  { code: 9999 },
] as const;

export const INNER_FAULTS = ['null_entry', 'null_entry_applied', 'applied_but_error', 'stale_read'] as const;

export const PAGE_FAULTS = ['html', 'truncated', 'http', 'reset', 'unknown_phrase', 'frozen'] as const;

/** Marks the lines of a trace that are not events of the history but their consequences. */
export const DETAIL_INDENT = '  ';

/** An event of a history. Plain data: a history can be printed, cut and replayed. */
export type WorldEvent =
  | { what: 'status'; level: Level; only: 'orgs' | 'outages' | null }
  | {
      what: 'page breaks';
      kind: (typeof PAGE_FAULTS)[number];
      only: 'orgs' | 'outages' | null;
      times: number;
    }
  | { what: 'override'; command: 'clear' | 'force-up' | 'force-low' | 'force-medium' | 'force-high' }
  | { what: 'toggle'; user: number; campaign: number; enabled: boolean }
  | { what: 'settings'; user: number; threshold: (typeof THRESHOLDS)[number]; resume: ResumeSettings }
  | { what: 'manual act'; user: number; campaign: number; kind: 'pause' | 'resume' }
  | { what: 'live test'; user: number; campaign: number }
  | { what: 'end of live test'; user: number }
  | { what: 'external change'; campaign: number; status: 'ACTIVE' | 'PAUSED' | 'ARCHIVED' | 'DELETED' }
  /** Moves the campaign's dates, from the time of the event; null: no date. */
  | { what: 'dates'; campaign: number; startsInMs: number | null; endsInMs: number | null }
  /** Meta refuses all writes of the campaign for good, or no longer. */
  | { what: 'refuses writes'; campaign: number; isOn: boolean }
  | { what: 'page read'; user: number }
  | { what: 'subscribe'; user: number }
  | { what: 'subscription ends'; user: number }
  | { what: 'token dies'; user: number }
  | { what: 'log in'; user: number }
  | { what: 'leave'; user: number; how: 'deauthorize' | 'delete' }
  | { what: 'removed on Meta'; user: number }
  | { what: 'access'; user: number; account: number; isGiven: boolean }
  | { what: 'error'; error: number; isInner: boolean; times: number }
  | { what: 'inner fault'; kind: (typeof INNER_FAULTS)[number]; times: number; ms: number }
  | { what: 'network fault'; service: Service; fault: NetworkFault; times: number; isWrite: boolean }
  | { what: 'mail down'; times: number; isUnanswered: boolean }
  | { what: 'crash'; process: number; callsLeft: number; downMs: number }
  | { what: 'second process'; forMs: number }
  | { what: 'database breaks'; process: number; kinds: ('before' | 'after')[] }
  | { what: 'clock jumps'; process: number; ms: number }
  | { what: 'jobs'; names: string[]; process: number }
  | { what: 'webhooks'; kind: 'webhook_drop' | 'webhook_twice'; times: number };

export type TimedEvent = WorldEvent & {
  /** Milliseconds from the beginning. */
  at: number;
  /** Delays the event until the reconciler has sent this many more requests: actions interleave. */
  afterRequests?: number;
  /** With `afterRequests`: applies when the request was carried out and its response is on the way. */
  isServed?: boolean;
};
