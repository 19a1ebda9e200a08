import * as z from 'zod/mini';
import type { Endpoint } from './endpoint.ts';
import { adminActivity, adminStats, adminStatus } from './admin-overview.ts';
import { doneWith } from './shapes.ts';
import { systemHealth } from './system-health.ts';

const done = doneWith({});

/** Endpoints for admins: the server refuses other users. */
export const adminApi = {
  adminStats: { access: 'admin', method: 'GET', path: '/api/admin/stats', reply: adminStats },
  adminActivity: {
    access: 'admin',
    method: 'GET',
    path: '/api/admin/recent-activity',
    reply: z.object({ activities: z.array(adminActivity) }),
  },
  adminStatus: { access: 'admin', method: 'GET', path: '/api/admin/status', reply: adminStatus },
  adminSystemHealth: {
    access: 'admin',
    method: 'GET',
    path: '/api/admin/system-health',
    reply: systemHealth,
  },
  adminAction: {
    access: 'admin',
    method: 'POST',
    path: '/api/admin/{action}',
    params: z.object({ action: z.string() }),
    reply: done,
  },
} as const satisfies Record<string, Endpoint>;
