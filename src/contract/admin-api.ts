import * as z from 'zod/mini';
import { heldPage, heldQuery, problems, retried, retryBody } from './admin.ts';
import { endpoint } from './endpoint.ts';
import { adminActivity, adminStats, adminStatus } from './admin-overview.ts';
import { doneWith } from './shapes.ts';

const none = z.object({});
const done = doneWith({});

/** The calls of administrators: the server refuses everybody else. */
export const adminApi = {
  adminStats: endpoint({
    access: 'admin',
    method: 'GET',
    path: '/api/admin/stats',
    params: none,
    body: null,
    reply: adminStats,
  }),
  adminActivity: endpoint({
    access: 'admin',
    method: 'GET',
    path: '/api/admin/recent-activity',
    params: none,
    body: null,
    reply: z.object({ activities: z.array(adminActivity) }),
  }),
  adminStatus: endpoint({
    access: 'admin',
    method: 'GET',
    path: '/api/admin/status',
    params: none,
    body: null,
    reply: adminStatus,
  }),
  /** Everything that fails or is stuck. */
  adminProblems: endpoint({
    access: 'admin',
    method: 'GET',
    path: '/api/admin/problems',
    params: none,
    body: null,
    reply: problems,
  }),
  /** Every live hold with its reason, a page at a time. */
  adminHeld: endpoint({
    access: 'admin',
    method: 'GET',
    path: '/api/admin/held',
    params: none,
    query: heldQuery,
    body: null,
    reply: heldPage,
  }),
  /** Makes one problem due now, except for what Meta's rate limit blocks. */
  adminRetry: endpoint({
    access: 'admin',
    method: 'POST',
    path: '/api/admin/retry',
    params: none,
    body: retryBody,
    reply: doneWith({ retried }),
  }),
  adminAction: endpoint({
    access: 'admin',
    method: 'POST',
    path: '/api/admin/{action}',
    params: z.object({ action: z.string() }),
    body: null,
    reply: done,
  }),
} as const;
