import * as z from 'zod/mini';
import { DIRECTIVES, LEVELS } from '#core/smartpause/level.ts';
import { orNull } from './known.ts';
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
  type: z.catch(z.enum(['pause', 'resume', 'login', 'setting', 'other']), 'other'),
  /** A word for it where the type says little, such as 'Billing'. */
  kind: z.optional(z.string()),
  message: z.string(),
  user: z._default(z.nullable(z.string()), null),
  timestamp: instant,
});
export type AdminActivity = z.output<typeof adminActivity>;

/** What an override would do now: how many campaigns it pauses and resumes, and of how many users. */
export const overrideReach = z.object({ users: z.number(), pauses: z.number(), resumes: z.number() });
export type OverrideReach = z.output<typeof overrideReach>;

/** Why an admin sets a level for all users. */
export const REASON_MAX = 300;

export const adminStatus = z.object({
  trueMetaStatus: z.catch(z.enum(LEVELS), 'UNKNOWN'),
  adminDirective: z._default(orNull(z.enum(DIRECTIVES)), null),
  effectiveStatus: z.catch(z.enum(LEVELS), 'UNKNOWN'),
  isOverridden: z.boolean(),
  statusMessage: z._default(z.string(), ''),
  /** Whether actions may affect live users; each action then needs a confirmation (ADMIN-06). */
  isProductionLike: z._default(z.boolean(), true),
});
export type AdminStatus = z.output<typeof adminStatus>;
