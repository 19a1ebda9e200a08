import * as z from 'zod/mini';

/** Server-sent events for a signed-in user. */
export const EVENTS_PATH = '/api/events';

/** `activity` is for admins: the activity log of some user has grown. */
const topic = z.enum(['status', 'campaigns', 'adAccounts', 'user', 'subscription', 'sessions', 'activity']);
export type Topic = z.infer<typeof topic>;

/** An event names what changed, never the new value: the page reads that with its usual calls. */
export const liveEvent = z.object({ topic });
