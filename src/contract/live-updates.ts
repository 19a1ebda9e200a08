import * as z from 'zod/mini';

/** Server-sent events for a signed-in user. */
export const EVENTS_PATH = '/api/events';

/** `activity` is for admins: a user's activity log has a new entry. */
const topic = z.enum(['status', 'campaigns', 'adAccounts', 'user', 'subscription', 'sessions', 'activity']);
export type Topic = z.infer<typeof topic>;

/** Events name what changed, never the new value: the page reads it with its usual calls. */
export const liveEvent = z.object({ topic });
