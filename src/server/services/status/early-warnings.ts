import { pauses } from '#core/detection/fusion.ts';
import { warningText } from '#core/detection/warning-words.ts';
import { THRESHOLDS, meetsThreshold } from '#core/smartpause/level.ts';
import type { Instant } from '#core/time.ts';
import { minutes } from '#core/time.ts';
import { recordActivities } from '../../db/activities.ts';
import type { Db } from '../../db/database.ts';
import type { Warning } from '../../db/early-warning.ts';
import { findLastWarning, findNotified, findToNotify, findWarning } from '../../db/early-warning.ts';
import { findRecordedLevels, readStatus } from '../../db/status/status.ts';
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
  const activities = await (warning.until === null ? begun(db, warning, now) : over(db, warning));
  await recordActivities(db, activities, now);
}

async function begun(db: Db, warning: Warning, now: Instant) {
  const { since } = warning.evidence;
  const { known } = await readStatus(db);
  const unmet = THRESHOLDS.filter((threshold) => !meetsThreshold(known, threshold));
  const facts = { since, pauses: pauses(warning), evidence: warningText(warning.evidence) };
  const userIds = await findToNotify(db, { since, thresholds: unmet }, now);
  return userIds.map((userId) => ({ ...BY, userId, event: 'early_warning' as const, facts }));
}

async function over(db: Db, warning: Warning) {
  const { since } = warning.evidence;
  // Not the outages: an admin's override begins one as well.
  const said = await findRecordedLevels(db, since);
  const goesOn = await findWarning(db);
  const isEnded = goesOn !== null && goesOn.evidence.since === since;
  return (await findNotified(db, since)).map(({ userId, threshold }) => ({
    ...{ ...BY, userId, event: 'early_warning_over' as const },
    facts: {
      since,
      isReported: said.some(({ level }) => meetsThreshold(level, threshold)),
      ...(isEnded && { isEnded }),
    },
  }));
}

const BY = { actor: 'smartpause' } as const;

/** The early warning that pages show; null: there is none, or it is only recorded, which is for admins. */
export async function findShownWarning({ db }: Needs<'db'>) {
  const warning = await findWarning(db);
  if (warning?.acts !== true) return null;
  const { since } = warning.evidence;
  return { since, pauses: pauses(warning), evidence: warningText(warning.evidence) };
}
