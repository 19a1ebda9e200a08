import * as z from 'zod/mini';
import { APP_STOPS } from '#core/app-state.ts';
import { DIRECTIVES } from '#core/smartpause/level.ts';
import { orNull } from './known.ts';
import { instant } from './shapes.ts';

/** `oldest`: of what is counted; null: there is none, or its time is not known. */
const part = <const Count extends string>(...counts: Count[]) =>
  z.object({
    needsAttention: z.boolean(),
    oldest: z.nullable(instant),
    ...(Object.fromEntries(counts.map((count) => [count, z.number()])) as Record<Count, z.ZodMiniNumber>),
  });

/** The parts that can fail, with the numbers of the metrics: see `SystemNumbers`. Every part retries by itself. */
export const systemHealth = z.object({
  statusPage: z.object({
    needsAttention: z.boolean(),
    /** When the page was last read; null: never. */
    readAt: z.nullable(instant),
    /** What could not be read; null: nothing. */
    trouble: z.nullable(z.string()),
    /** The watched services that were not found or not understood. */
    missing: z.array(z.string()),
    /** Outages on Meta's page that no longer count, one sentence each. */
    silentIncidents: z.array(z.string()),
    /** The level that an admin has set for all users; null: none. */
    override: z._default(
      z.nullable(
        z.object({
          directive: orNull(z.enum(DIRECTIVES)),
          reason: z.nullable(z.string()),
          /** The admin's name; null: the account is deleted. */
          by: z.nullable(z.string()),
          since: z.nullable(instant),
        }),
      ),
      null,
    ),
  }),
  app: z.extend(part('usedRatio'), {
    /** Why Meta refuses SmartPause itself; null: it serves it. */
    stopped: orNull(z.enum(APP_STOPS)),
    /** Meta's words. */
    said: z.nullable(z.string()),
  }),
  queue: part('due'),
  jobs: part('due'),
  accounts: part('failing'),
  holds: part('pausing', 'paused', 'resuming', 'notResumable'),
  writes: part('unconfirmed'),
  emails: part('waiting', 'retried', 'failed'),
  tokens: part('refused', 'undecryptable'),
  tokenChecks: part<never>(),
  logins: part('unfinished', 'declined'),
  leaving: part('users', 'failing'),
  subscriptions: part('failing'),
});
export type SystemHealth = z.output<typeof systemHealth>;
