import type { PlatformStatus, UserStatus } from '#contract/shapes.ts';
import { meetsThreshold } from '#core/smartpause/level.ts';
import { LEVEL_WORDS } from '#core/words.ts';
import { resumeAt } from '#core/smartpause/resume-time.ts';
import { currentStatus } from '#core/smartpause/status.ts';
import { UNABLE_TO_FETCH } from '../platforms/meta/status-page/status-page.ts';
import { countHeld } from '../db/holds/holds.ts';
import { readNotPaused } from '../db/reports/not-paused.ts';
import type { Person } from '../db/users/people.ts';
import type { StatusRow } from '../db/status/status.ts';
import type { OperationDeps } from './deps.ts';

async function readCurrentStatus(deps: OperationDeps): Promise<StatusRow> {
  return currentStatus(await deps.shared.status(), deps.clock.now(), deps.staleMs);
}

/** While login or the Graph API is disrupted, or nobody knows, a refused token is not taken for a revoked one. */
export async function isLoginDisrupted(deps: OperationDeps): Promise<boolean> {
  const status = await readCurrentStatus(deps);
  return status.loginDisrupted || status.trueLevel === 'UNKNOWN';
}

export async function getPlatformStatus(deps: OperationDeps): Promise<PlatformStatus> {
  const status = await readCurrentStatus(deps);
  const { effective } = status;
  return {
    success: effective !== 'UNKNOWN',
    status: effective,
    ...wordsOf(status),
    checkedAt: iso(status.checkedAt),
    since: iso(status.since),
  };
}

/** Under an override Meta's words say nothing of the status, and neither do they while it is UNKNOWN. */
function wordsOf(status: StatusRow): Pick<PlatformStatus, 'message' | 'quote' | 'isOverridden'> {
  const { effective, directive, quote } = status;
  if (directive !== null) {
    const message = `Status set by SmartPause's team: ${LEVEL_WORDS[effective].toLowerCase()}`;
    return { message, isOverridden: true };
  }
  if (effective === 'UNKNOWN') return { message: UNABLE_TO_FETCH };
  return { message: status.message, ...(quote !== null && { quote }) };
}

export async function getUserStatus(deps: OperationDeps, person: Person): Promise<UserStatus> {
  const status = await deps.shared.status();
  const holds = await countHeld(deps.db, person.id);
  return {
    resumeSettings: person.resume,
    outageThreshold: person.threshold,
    email: person.email,
    resumeAt: holds === 0 ? null : iso(resumeAt(status, person)),
    ...(await notYetPaused(deps, person, status)),
  };
}

/** While the threshold is met: how many campaigns wait for their pause, and for what. */
async function notYetPaused(
  { db, clock, staleMs }: OperationDeps,
  person: Person,
  status: StatusRow,
): Promise<Pick<UserStatus, 'notYetPaused'>> {
  const now = clock.now();
  if (!meetsThreshold(currentStatus(status, now, staleMs).effective, person.threshold)) return {};
  const { count, isUnanswered, isLimited } = await readNotPaused(db, person.id, now);
  if (count === 0) return {};
  return { notYetPaused: { count, because: isUnanswered ? 'no_answer' : isLimited ? 'limit' : null } };
}

function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
