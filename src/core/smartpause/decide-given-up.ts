import type { Circumstances, Decision } from './decision.ts';
import { isHeldAnew, letGo, take, wait, writeWhenDue } from './decision.ts';
import type { Hold, LetGoReason, LiveStatus } from './hold.ts';
import { handOf, lateAgainst } from './hold.ts';

/**
 * A hand has set the campaign, and nobody undoes that: a lost write of ours that is carried out after it is taken back,
 * and tried for until the campaign is seen as the hand had left it.
 */
export function decideGivenUp(
  hold: Hold,
  reason: LetGoReason,
  live: LiveStatus | undefined,
  given: Circumstances,
): Decision {
  const { now } = given;
  const hand = handOf(hold);
  const isAsLeft = live === hand;
  const isBegun = hold.sentAt !== null;
  if (isAsLeft && isBegun) return take({ kind: hand === 'PAUSED' ? 'confirm_paused' : 'confirm_resumed' });
  if (!mayTakeBack(hand, live, given)) return take(letGo(hold, reason, live));
  const late = lateAgainst(hold);
  // Of what happened elsewhere only the log can tell that it was not their own hand again.
  const isOurs = reason !== 'paused_outside' || given.isUndone;
  const isUndone = (live === 'ACTIVE' || live === 'PAUSED') && !isAsLeft;
  // However long nobody could look: if a hand came since, the log tells.
  if (isUndone && (isBegun || (isOurs && late !== null)))
    return writeWhenDue(hold, { kind: hand === 'PAUSED' ? 'pause' : 'resume' }, now);
  return late !== null && late > now ? wait(late) : take(letGo(hold, reason, live));
}

/** That SmartPause is off does not matter to a resume by hand: it is just this that they wanted. */
function mayTakeBack(hand: 'ACTIVE' | 'PAUSED', live: LiveStatus | undefined, given: Circumstances): boolean {
  if (given.isTheirs && live !== hand) return false;
  return hand === 'PAUSED' ? given.setting === 'ON' : !isHeldAnew(live, given);
}
