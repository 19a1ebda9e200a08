import * as z from 'zod/mini';
import { heldPage, heldQuery, problems, retried, retryBody } from './admin.ts';
import type { Endpoint } from './endpoint.ts';
import { adminActivity, adminStats, adminStatus } from './admin-overview.ts';
import { doneWith } from './shapes.ts';

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
  /** Problems that an admin should look at. */
  adminProblems: { access: 'admin', method: 'GET', path: '/api/admin/problems', reply: problems },
  /** One page of the live holds with their reasons. */
  adminHeld: { access: 'admin', method: 'GET', path: '/api/admin/held', query: heldQuery, reply: heldPage },
  /** Makes one problem due now, unless Meta's rate limit blocks it. */
  adminRetry: {
    access: 'admin',
    method: 'POST',
    path: '/api/admin/retry',
    body: retryBody,
    reply: doneWith({ retried }),
  },
  adminAction: {
    access: 'admin',
    method: 'POST',
    path: '/api/admin/{action}',
    params: z.object({ action: z.string() }),
    reply: done,
  },
} as const satisfies Record<string, Endpoint>;
