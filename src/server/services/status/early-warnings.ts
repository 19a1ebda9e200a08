import { pauses } from '#core/detection/fusion.ts';
import { warningText } from '#core/detection/warning-words.ts';
import { THRESHOLDS, meetsThreshold } from '#core/smartpause/level.ts';
import { minutes } from '#core/time.ts';
import { recordActivities } from '../../db/activities.ts';
import type { Warning } from '../../db/early-warning.ts';
import { findLastWarning, findNotified, findToNotify, findWarning } from '../../db/early-warning.ts';
import { readStatus } from '../../db/status/status.ts';
import type { Needs } from '../deps.ts';

/** A warning that has ended before is not reported any more, such as after a stop of all processes. */
const REPORTED_MS = minutes(60);

/**
 * One activity of each user who wants it when an early warning begins, and one when it is over. While Meta's page itself reports
 * what meets the user's threshold, nothing early is left to say.
 */
export async function noteEarlyWarnings({ db, clock }: Needs<'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  const warning = await findLastWarning(db, now - REPORTED_MS);
  if (warning === null) return;
  const { since } = warning.evidence;
  const { known } = await readStatus(db);
  const unmet = THRESHOLDS.filter((threshold) => !meetsThreshold(known, threshold));
  const activities =
    warning.until === null
      ? (await findToNotify(db, { since, thresholds: unmet }, now)).map((userId) => begunFor(userId, warning))
      : (await findNotified(db, since)).map(({ userId, threshold }) => ({
          ...({ userId, actor: 'smartpause', event: 'early_warning_over' } as const),
          facts: { since, isReported: meetsThreshold(known, threshold) },
        }));
  await recordActivities(db, activities, now);
}

/** The early warning that pages show; null: there is none, or it is only recorded, which is for admins. */
export async function findShownWarning({ db }: Needs<'db'>) {
  const warning = await findWarning(db);
  if (warning?.acts !== true) return null;
  const { since } = warning.evidence;
  return { since, pauses: pauses(warning), evidence: warningText(warning.evidence) };
}

function begunFor(userId: string, warning: Warning) {
  const facts = {
    since: warning.evidence.since,
    pauses: pauses(warning),
    evidence: warningText(warning.evidence),
  };
  return { userId, actor: 'smartpause', event: 'early_warning', facts } as const;
}
