import * as z from 'zod/mini';
import { PANELS } from '#core/detection/parameters.ts';
import type { Panel } from '#core/detection/parameters.ts';
import { DETECTION_STATES } from '#core/detection/sequential-test.ts';
import { orNull } from './known.ts';
import { instant } from './shapes.ts';

const PANEL_NAMES = Object.keys(PANELS) as Panel[];

/** What early warnings would have said: recorded, and shown to admins only. */
export const earlyWarning = z.object({
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
      source: orNull(z.enum(PANEL_NAMES)),
      state: orNull(z.enum(DETECTION_STATES)),
      since: instant,
      /** Null: it goes on. */
      until: z.nullable(instant),
      evidence: z.string(),
    }),
  ),
  /** Of the last 28 days: minutes in a row in which at least a fifth of the businesses failed. */
  shortFailures: z.object({
    count: z.number(),
    medianMinutes: z.number(),
    longestMinutes: z.number(),
  }),
});
export type EarlyWarning = z.output<typeof earlyWarning>;
