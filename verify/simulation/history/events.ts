import type { ResumeSettings } from '../../../src/core/settings.ts';
import type { THRESHOLDS } from '../../../src/core/smartpause/level.ts';
import type { NetworkFault } from '../world/network.ts';
import type { Service } from '../world/simulators.ts';

export const PHRASES = {
  UP: 'No Known Issues',
  LOW_DISRUPTION: 'Low disruptions',
  MEDIUM_DISRUPTION: 'Medium disruptions',
  HIGH_DISRUPTION: 'High disruptions',
} as const;
export type Level = keyof typeof PHRASES;

/** One code for each error class of Meta. */
export const PLATFORM_ERRORS: readonly { code: number; subcode?: number; transient?: true }[] = [
  ...[{ code: 2 }, { code: 1 }, { code: 4 }, { code: 17 }, { code: 613, subcode: 5_044_001 }],
  ...[{ code: 80_004 }, { code: 190 }, { code: 190, transient: true as const }, { code: 102 }, { code: 10 }],
  ...[
    { code: 200 },
    { code: 368 },
    { code: 100 },
    { code: 100, subcode: 33 },
    { code: 2635 },
    { code: 9999 },
  ],
];
/** Those of them that refuse a write for good. */
export const FINAL_CODES: readonly number[] = [100, 9999];
export const INNER_FAULTS = ['null_entry', 'null_entry_applied', 'applied_but_error', 'stale_read'] as const;
export const PAGE_FAULTS = ['html', 'truncated', 'http', 'reset', 'unknown_phrase', 'frozen'] as const;
/** Scheduled tasks whose outcome the rules check. */
export const JOB_NAMES = [
  'leaving',
  'checking tokens',
  'reading subscriptions',
  'long unknown',
  'tidying up',
];

/** Marks the lines of a trace that are not events of the history but their consequences. */
export const DETAIL_INDENT = '  ';

/** Of the two files of the status page; null: both. */
type Only = 'orgs' | 'outages' | null;
type CampaignOfUser = { user: number; campaign: number };

interface Facts {
  status: { level: Level; only: Only };
  'page breaks': { kind: (typeof PAGE_FAULTS)[number]; only: Only; times: number };
  override: { command: 'clear' | 'force-up' | 'force-low' | 'force-medium' | 'force-high' };
  toggle: CampaignOfUser & { enabled: boolean };
  settings: { user: number; threshold: (typeof THRESHOLDS)[number]; resume: ResumeSettings };
  'manual act': CampaignOfUser & { kind: 'pause' | 'resume' };
  'live test': CampaignOfUser;
  'end of live test': { user: number };
  'external change': { campaign: number; status: 'ACTIVE' | 'PAUSED' | 'ARCHIVED' | 'DELETED' };
  /** Moves the campaign's dates, from the time of the event; null: no date. */
  dates: { campaign: number; startsInMs: number | null; endsInMs: number | null };
  /** Meta refuses all writes of the campaign for good, or no longer. */
  'refuses writes': { campaign: number; isOn: boolean };
  'page read': { user: number };
  subscribe: { user: number };
  'subscription ends': { user: number };
  'token dies': { user: number };
  'log in': { user: number };
  leave: { user: number; how: 'deauthorize' | 'delete' };
  'removed on Meta': { user: number };
  access: { user: number; account: number; isGiven: boolean };
  error: { error: number; isInner: boolean; times: number };
  'inner fault': { kind: (typeof INNER_FAULTS)[number]; times: number; ms: number };
  'network fault': { service: Service; fault: NetworkFault; times: number; isWrite: boolean };
  'mail down': { times: number; isUnanswered: boolean };
  crash: { process: number; callsLeft: number; downMs: number };
  'second process': { forMs: number };
  'database breaks': { process: number; kinds: ('before' | 'after')[] };
  'clock jumps': { process: number; ms: number };
  jobs: { names: string[]; process: number };
  webhooks: { kind: 'webhook_drop' | 'webhook_twice'; times: number };
}

export type EventOf<What extends keyof Facts> = { what: What } & Facts[What];
/** An event of a history. Plain data: a history can be printed, cut and replayed. */
export type WorldEvent = { [What in keyof Facts]: EventOf<What> }[keyof Facts];

export type TimedEvent = WorldEvent & {
  /** Milliseconds from the beginning. */
  at: number;
  /** Delays the event until the reconciler has sent this many more requests: actions interleave. */
  afterRequests?: number;
  /** With `afterRequests`: applies when the request was carried out and its response is on the way. */
  isServed?: boolean;
};
