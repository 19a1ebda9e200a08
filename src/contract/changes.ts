import * as z from 'zod/mini';

/** The stream of changes: server-sent events, for whoever has a session. */
export const CHANGES_PATH = '/api/events';

const CHANGES = [
  /** Anything may have changed: for a while the server has not heard of changes itself. */
  'everything',
  'status',
  /** Of one ad account: its campaigns, their SmartPause, what is held, what is scheduled. */
  'campaigns',
  'ad_accounts',
  /** The person and their settings. */
  'person',
  'subscription',
  'sessions',
  /** For administrators: somebody has done something. */
  'activity',
] as const;

/** What has changed, never to what: the page reads that by the calls it has. */
export const change = z.object({
  what: z.enum(CHANGES),
  /** With 'campaigns'. */
  adAccountId: z.optional(z.string()),
  /** Many pages were told at once: each reads at a moment of its own within that time. */
  withinMs: z.optional(z.number()),
});

export type Change = z.infer<typeof change>;
