import * as z from 'zod/mini';
import { COMMANDS, LEVELS } from '#core/smartpause/level.ts';
import { id, instant } from './shapes.ts';

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
  id,
  type: z.catch(z.enum(['pause', 'resume', 'login', 'setting', 'other']), 'other'),
  message: z.string(),
  user: z._default(z.nullable(z.string()), null),
  timestamp: instant,
});
export type AdminActivity = z.output<typeof adminActivity>;

/** The specification gives each level and command a name and a number: accepts both, sends the name. */
const level = z.pipe(
  z.transform((input) => (typeof input === 'number' ? LEVELS[input] : input)),
  z.enum(LEVELS),
);
const directive = z.pipe(
  z.transform((input) => {
    const named = Object.entries(COMMANDS).find(([, number]) => number === input)?.[0] ?? input;
    if (typeof named !== 'string') return named;
    const command = named.toUpperCase().replace(/[ -]/g, '_');
    return command === 'CLEAR' ? null : command;
  }),
  z.nullable(z.enum(['FORCE_UP', 'FORCE_LOW', 'FORCE_MEDIUM', 'FORCE_HIGH'])),
);

export const adminStatus = z.object({
  trueMetaStatus: level,
  adminDirective: z._default(directive, null),
  effectiveStatus: level,
  isOverridden: z.boolean(),
  statusMessage: z._default(z.string(), ''),
  /** Whether actions may affect live users; each action then needs a confirmation (ADMIN-06). */
  isProductionLike: z._default(z.boolean(), true),
});
export type AdminStatus = z.output<typeof adminStatus>;
