import * as z from 'zod/mini';
import { REASON_MAX, adminActivity, adminStats, adminStatus, overrideReach } from './admin-overview.ts';
import { earlyWarning } from './early-warning.ts';
import { callsFor } from './endpoint.ts';
import { done, storedText } from './shapes.ts';
import { systemHealth } from './system-health.ts';

const { get, post } = callsFor('admin');

/** Endpoints for admins: the server refuses other users. */
export const adminApi = {
  adminStats: get('/api/admin/stats', { reply: adminStats }),
  adminActivity: get('/api/admin/recent-activity', {
    reply: z.object({ activities: z.array(adminActivity) }),
  }),
  adminStatus: get('/api/admin/status', { reply: adminStatus }),
  adminSystemHealth: get('/api/admin/system-health', { reply: systemHealth }),
  adminEarlyWarning: get('/api/admin/early-warning', { reply: earlyWarning }),
  /** Lets early warnings notify and pause, or ends that. */
  adminLetWarningsAct: post('/api/admin/early-warning', {
    body: z.object({ acts: z.boolean() }),
    reply: earlyWarning,
  }),
  adminReach: get('/api/admin/override-reach/{action}', {
    params: z.object({ action: z.string() }),
    reply: overrideReach,
  }),
  adminAction: post('/api/admin/{action}', {
    params: z.object({ action: z.string() }),
    body: z.optional(z.object({ reason: z.optional(storedText(REASON_MAX)) })),
    reply: done,
  }),
};
