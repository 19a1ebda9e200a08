import type { earlyWarning } from '#contract/early-warning.ts';
import { AT_START } from '#core/detection/sequential-test.ts';
import { isControlled } from '#core/detection/panels.ts';
import { USUAL_MS } from '#core/detection/parameters.ts';
import { stateText } from '#core/detection/warning-words.ts';
import type * as z from 'zod/mini';
import { recordActivities } from '../../db/activities.ts';
import { inTransaction } from '../../db/database.ts';
import { readDeliverySample } from '../../db/delivery.ts';
import { findDetectedStates, findShortFailures, readDetection } from '../../db/detection.ts';
import { countChosen, countRecorded, lockActing, saveActing } from '../../db/early-warning.ts';
import type { User } from '../../db/users/users.ts';
import { weigh } from '../../detection/warn.ts';
import type { Needs } from '../deps.ts';

const STATES_SHOWN = 50;

type Deps = Needs<'db' | 'clock' | 'hasCanary' | 'controlUrls'>;

/** What early warnings say, or would have said, for admins. */
export async function getEarlyWarning({
  db,
  clock,
  hasCanary,
  controlUrls,
}: Deps): Promise<z.input<typeof earlyWarning>> {
  const { canary, tests, actingSince } = await readDetection(db);
  const states = await findDetectedStates(db, STATES_SHOWN);
  const usualSince = clock.now() - USUAL_MS;
  return {
    actingSince,
    chosen: await countChosen(db, clock.now()),
    delivery: await readDeliverySample(db),
    hasControls: isControlled(controlUrls),
    canary: hasCanary
      ? {
          at: canary?.at ?? null,
          failures: canary?.failures ?? 0,
          failed: [...new Set(Object.values(canary?.failed ?? {}))],
        }
      : null,
    votesAMinute: Math.round((tests.calls ?? AT_START).votesAMinute),
    states: states.map((one) => ({ ...one, evidence: stateText(one) })),
    recorded: await countRecorded(db, usualSince),
    shortFailures: await findShortFailures(db, usualSince),
  };
}

/**
 * Lets early warnings notify and pause, or ends that. One that goes on acts from now on, or not any more: then what it has
 * paused is resumed by each user's rule.
 */
export async function letWarningsAct(deps: Deps & Needs<'wake' | 'log'>, user: User, acts: boolean) {
  const now = deps.clock.now();
  await inTransaction(deps.db, async (tx) => {
    if (((await lockActing(tx, { waits: true })) !== null) === acts) return;
    await saveActing(tx, acts ? now : null);
    await weigh(tx, acts, now);
    const about = { userId: user.id, actor: 'user', event: 'warnings_act' } as const;
    await recordActivities(tx, [{ ...about, facts: { name: user.name, acts } }], now);
  });
  deps.log.info({ user: user.id, acts }, 'early warnings act');
  deps.wake();
  return getEarlyWarning(deps);
}
