import type { PlatformStatus } from '#contract/shapes.ts';
import { LEVEL_WORDS } from '#core/labels.ts';
import { levelSince } from '#core/outages/outage.ts';
import { UNABLE_TO_FETCH, currentStatus } from '#core/smartpause/status.ts';
import type { StatusRow } from '../../db/status/status.ts';
import { findWarning } from '../../db/early-warning.ts';
import { readDisruption, readStatus } from '../../db/status/status.ts';
import type { Needs } from '../deps.ts';
import { findShownWarning } from './early-warnings.ts';

export type StatusDeps = Needs<'db' | 'clock' | 'staleMs'>;

async function readCurrentStatus(deps: StatusDeps): Promise<StatusRow> {
  return currentStatus(await readStatus(deps.db), deps.clock.now(), deps.staleMs);
}

/**
 * While login or the Graph API is disrupted, the status is unknown, or an outage is suspected, a refused token does not
 * count as revoked.
 */
export async function isLoginDisrupted(deps: StatusDeps): Promise<boolean> {
  const status = await readCurrentStatus(deps);
  if (status.loginDisrupted || status.trueLevel === 'UNKNOWN') return true;
  return (await findWarning(deps.db)) !== null;
}

export async function getPlatformStatus(deps: StatusDeps) {
  const status = await readCurrentStatus(deps);
  const { effective, checkedAt, since, directive } = status;
  const warning = await findShownWarning(deps);
  const shown = {
    ...{ success: effective !== 'UNKNOWN', status: effective, checkedAt, since },
    ...(warning !== null && { warning }),
  };
  if (effective === 'UP' || effective === 'UNKNOWN') return { ...shown, ...labelOf(status) };
  const { isFalling, components, levels, overrideSince } = await readDisruption(deps.db);
  const downSince = directive === null ? levelSince({ levels: levels ?? [] }, effective) : overrideSince;
  const down = components.flatMap(({ isWatched, name, level }) =>
    isWatched && level !== null && level !== 'UP' ? [{ name, level }] : [],
  );
  return {
    ...shown,
    // The first of two lower readings: Meta no longer says what was read before.
    ...labelOf(isFalling ? { ...status, quote: null } : status),
    ...(downSince !== null && { downSince }),
    ...(directive === null && { down }),
  };
}

/** Meta's text does not explain the status under an override or while it is UNKNOWN. */
function labelOf(
  status: Pick<StatusRow, 'effective' | 'directive' | 'quote' | 'message'>,
): Pick<PlatformStatus, 'message' | 'quote' | 'isOverridden'> {
  const { effective, directive, quote } = status;
  if (directive !== null) {
    const message = `Status set by the SmartPause team: ${LEVEL_WORDS[effective].toLowerCase()}`;
    return { message, isOverridden: true };
  }
  if (effective === 'UNKNOWN') return { message: UNABLE_TO_FETCH };
  return { message: status.message, ...(quote !== null && { quote }) };
}
