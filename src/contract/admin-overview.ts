import * as z from 'zod/mini';
import { LEVELS } from '#core/smartpause/level.ts';
import { instant } from './shapes.ts';

export const ADMIN_ACTIONS = [
  'clear',
  'force-up',
  'force-low',
  'force-medium',
  'force-high',
  'grant-subscription',
  'clear-stripe-data',
] as const;
export type AdminAction = (typeof ADMIN_ACTIONS)[number];

export const adminStats = z.object({
  totalUsers: z.number(),
  activeUsers: z.number(),
  smartPauseCampaigns: z.number(),
});

export type AdminStats = z.output<typeof adminStats>;

export const adminActivity = z.object({
  id: z.string(),
  type: z.enum(['pause', 'resume', 'login', 'setting', 'other']),
  message: z.string(),
  user: z.nullable(z.string()),
  timestamp: instant,
});
export type AdminActivity = z.output<typeof adminActivity>;

export const adminStatus = z.object({
  trueMetaStatus: z.enum(LEVELS),
  adminDirective: z.nullable(z.enum(['FORCE_UP', 'FORCE_LOW', 'FORCE_MEDIUM', 'FORCE_HIGH'])),
  effectiveStatus: z.enum(LEVELS),
  isOverridden: z.boolean(),
  statusMessage: z.string(),
  /** Whether actions may affect live users, so that each is asked about first (ADMIN-06). */
  isProductionLike: z._default(z.boolean(), true),
});
export type AdminStatus = z.output<typeof adminStatus>;

export const failing = z.object({
  /** One of `FAILING_PARTS`, or what a newer server knows of. */
  part: z.string(),
  /** Null: not known. */
  since: z.nullable(instant),
  /** How many are concerned; null: everybody. */
  count: z.nullable(z.number()),
  /** In the words of whoever failed, without names or addresses. */
  lastError: z.nullable(z.string()),
});
export type Failing = z.output<typeof failing>;
