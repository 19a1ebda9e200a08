import * as z from 'zod/mini';
import { PANEL_NAMES } from '#core/detection/parameters.ts';
import { DETECTION_STATES } from '#core/detection/sequential-test.ts';
import { orNull } from './known.ts';
import { instant } from './shapes.ts';

const SOURCES = [...PANEL_NAMES, 'delivery', 'early_warning'] as const;
const STATES = [...DETECTION_STATES, 'PROBABLE'] as const;

/** What early warnings say, or would have said, for admins. */
export const earlyWarning = z.object({
  /** Since when they notify and pause; null: they are only recorded. */
  actingSince: z.nullable(instant),
  /** Users with a subscription by their choice: whom an early warning pauses, and whom it only notifies. */
  chosen: z.object({ pause: z.number(), notify: z.number() }),
  /** Ad accounts whose delivery is looked at, and those with enough weeks to compare with. */
  delivery: z.object({ accounts: z.number(), compared: z.number() }),
  /** At least two hosts outside Meta are configured; without them nothing is suspected. */
  hasControls: z.boolean(),
  /** Null: not configured. */
  canary: z.nullable(
    z.object({
      /** Null: it has not run yet. */
      at: z.nullable(instant),
      /** Runs in succession with a failed call. */
      failures: z.number(),
      /** By Meta's codes, or the messages of failed connections. */
      failed: z.array(z.string()),
    }),
  ),
  /** Businesses whose calls are counted in an ordinary minute. */
  votesAMinute: z.number(),
  /** The latest first. */
  states: z.array(
    z.object({
      /** 'early_warning': what the others say together. */
      source: orNull(z.enum(SOURCES)),
      state: orNull(z.enum(STATES)),
      /** It notified, and paused if it was PROBABLE; otherwise it was only recorded. */
      acts: z.boolean(),
      since: instant,
      /** Null: it goes on. */
      until: z.nullable(instant),
      evidence: z.string(),
    }),
  ),
  /** Of the last 28 days, also while they were only recorded: early warnings, and those of them that pause. */
  recorded: z.object({ suspicions: z.number(), pauses: z.number() }),
  /** Of the last 28 days: minutes in a row in which at least a fifth of the businesses failed. */
  shortFailures: z.object({
    count: z.number(),
    medianMinutes: z.number(),
    longestMinutes: z.number(),
  }),
});
export type EarlyWarning = z.output<typeof earlyWarning>;
