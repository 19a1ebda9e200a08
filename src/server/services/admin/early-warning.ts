import type { earlyWarning } from '#contract/early-warning.ts';
import { AT_START } from '#core/detection/sequential-test.ts';
import { isControlled } from '#core/detection/panels.ts';
import { USUAL_MS } from '#core/detection/parameters.ts';
import { evidenceText } from '#core/detection/words.ts';
import type * as z from 'zod/mini';
import { findDetectedStates, findShortFailures, readDetection } from '../../db/detection.ts';
import type { Needs } from '../deps.ts';

const STATES_SHOWN = 50;

/** What early warnings would have said, for admins. */
export async function getEarlyWarning({
  db,
  clock,
  hasCanary,
  controlUrls,
}: Needs<'db' | 'clock' | 'hasCanary' | 'controlUrls'>): Promise<z.input<typeof earlyWarning>> {
  const { canary, tests } = await readDetection(db);
  const states = await findDetectedStates(db, STATES_SHOWN);
  return {
    hasControls: isControlled(controlUrls),
    canary: hasCanary
      ? {
          at: canary?.at ?? null,
          failures: canary?.failures ?? 0,
          failed: [...new Set(Object.values(canary?.failed ?? {}))],
        }
      : null,
    votesAMinute: Math.round((tests.calls ?? AT_START).votesAMinute),
    states: states.map(({ evidence, ...one }) => ({
      ...one,
      evidence: evidenceText(one.source, one.state, evidence),
    })),
    shortFailures: await findShortFailures(db, clock.now() - USUAL_MS),
  };
}
