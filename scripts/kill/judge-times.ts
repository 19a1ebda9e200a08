import type { PlatformWrite } from '../outside/control-door.ts';
import type { Watcher } from './cast.ts';
import type { Evidence } from './evidence.ts';
import type { Flip } from './story.ts';
import { isMet } from './story.ts';

/** A write that is under way when the status becomes known is still finished. */
const UNDER_WAY_MS = 2_500;

/** Paused only while somebody's threshold was met, and resumed only when somebody's was met no more, and in time. */
export function judgeTimes(evidence: Evidence): string[] {
  return evidence.writes.flatMap((write) => {
    if (write.token_user === null || write.previous === write.status) return [];
    const campaign = evidence.campaigns.find(({ id }) => id === write.campaign);
    if (campaign === undefined || campaign.kind === 'pressed') return [];
    const isRight = campaign.watchers.some((watcher) => mayBe(evidence.story.flips, write, watcher));
    return isRight ? [] : [`${campaign.name} became ${write.status} at ${write.at}, against the status`];
  });
}

function mayBe(flips: readonly Flip[], write: PlatformWrite, watcher: Watcher): boolean {
  const at = Date.parse(write.at);
  const possible = flips.filter((flip, index) => flip.at <= at && at <= knownUntil(flips, index));
  const levels = possible.map(({ level }) => isMet(level, watcher.threshold));
  // Before the first change the page reported nothing.
  if (write.status === 'PAUSED') return levels.includes(true);
  if (flips.length === 0 || possible.length === 0) return true;
  return levels.includes(false) && at >= matchEndedAt(flips, watcher, at) + watcher.delayMs;
}

/** How long the product may still take this for the status: until it has said another one, and what it had begun. */
function knownUntil(flips: readonly Flip[], index: number): number {
  const next = flips.slice(index + 1).find(({ knownAt }) => knownAt !== null);
  return next?.knownAt == null ? Infinity : next.knownAt + UNDER_WAY_MS;
}

/** The earliest moment at which the last match could have ended for the product. */
function matchEndedAt(flips: readonly Flip[], watcher: Watcher, at: number): number {
  const ends = flips.filter((flip, index) => {
    const before = flips[index - 1];
    return (
      flip.at <= at &&
      !isMet(flip.level, watcher.threshold) &&
      before !== undefined &&
      isMet(before.level, watcher.threshold)
    );
  });
  // A short match may never have been seen: then an earlier end counts.
  const certain = ends.filter((_end, index) => index === ends.length - 1);
  return watcher.delayMs === 0 ? 0 : (certain[0]?.at ?? 0);
}
