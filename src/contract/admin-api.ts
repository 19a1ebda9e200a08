import * as z from 'zod/mini';
import {
  heldPage,
  heldQuery,
  queueState,
  retried,
  retryBody,
  statusHistory,
  stuckPage,
  stuckParams,
  stuckQuery,
} from './admin.ts';
import { endpoint } from './endpoint.ts';
import { adminActivity, adminStats, adminStatus, failing } from './admin-overview.ts';
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
  adminFailing: endpoint({
    access: 'admin',
    method: 'GET',
    path: '/api/admin/failing',
    params: none,
    body: null,
    reply: z.object({ failing: z.array(failing) }),
  }),
  /** Who is held and why, a page at a time. */
  adminHeld: endpoint({
    access: 'admin',
    method: 'GET',
    path: '/api/admin/held',
    params: none,
    query: heldQuery,
    body: null,
    reply: heldPage,
  }),
  /** The single things behind one part of what is failing, a page at a time. */
  adminStuck: endpoint({
    access: 'admin',
    method: 'GET',
    path: '/api/admin/stuck/{part}',
    params: stuckParams,
    query: stuckQuery,
    body: null,
    reply: stuckPage,
  }),
  /** Makes one of them due now, or all of a part. What Meta wants left alone stays so. */
  adminRetry: endpoint({
    access: 'admin',
    method: 'POST',
    path: '/api/admin/retry',
    params: none,
    body: retryBody,
    reply: doneWith({ retried }),
  }),
  adminStatusHistory: endpoint({
    access: 'admin',
    method: 'GET',
    path: '/api/admin/status-history',
    params: none,
    body: null,
    reply: statusHistory,
  }),
  adminQueue: endpoint({
    access: 'admin',
    method: 'GET',
    path: '/api/admin/queue',
    params: none,
    body: null,
    reply: queueState,
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
