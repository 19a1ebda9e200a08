import type { PlantedFault } from '../fixtures/planted-fault.ts';

/** Faults that are planted in the decision, to see that the model check finds them: file, text, what replaces it. */
const FAULTS: Record<string, [file: string, find: string, replace: string]> = {
  'opposite-at-once': [
    'work',
    'write === null || write.unansweredUntil === null ? null : write.target',
    'null',
  ],
  'forgotten-intent': ['work', 'unansweredUntil: now + LATE_WRITE_MS,', 'unansweredUntil: null,'],
  'no-cancelling': [
    'follow-hold',
    "'pausing' && !isWanted) work.hold = { ...hold, state: 'cancelling' };",
    "'pausing' && !isWanted) endHold(work, 'not_needed');",
  ],
  'turned-off-before-the-answer': ['follow-hold', "hold.state === 'paused' && isUndone", 'false'],
  'no-log-before-resume': [
    'follow-hold',
    "if (isTheirs === true) return endHold(work, 'paused_outside');",
    '',
  ],
  'no-restore': [
    'settle-write',
    "fate.kind === 'overrode' && write.origin !== 'manual'",
    "fate.kind === 'overrode' && now < 0",
  ],
  'trust-every-read': ['decide-campaign', 'readAt < confirmed.at + STALE_READ_MS ?', 'readAt < 0 ?'],
  'refused-counts-as-sent': [
    'decide-campaign',
    'unansweredUntil: earlierUntil, firstSentAt,',
    'firstSentAt,',
  ],
  'one-read-is-enough': ['follow-hold', 'if (work.readAt >= since + forMs) return null;', 'return null;'],
  'no-verification-after-a-confirming-read': [
    'outcomes',
    "state: 'done', retryAt: null };\n  if (wasOpen && write.origin === 'manual')",
    "state: 'done', retryAt: null, unansweredUntil: null };\n  if (wasOpen && write.origin === 'manual')",
  ],
  'late-writes-for-20-s': ['hold', 'SEND_WITHIN_MS + seconds(60)', 'SEND_WITHIN_MS + seconds(15)'],
  'former-write-counts': [
    'change-log',
    `LOG_TOLERANCE_MS ||
      // No opposite writes are in flight at once, so an opposite one of ours was sent and carried out earlier.
      (isOurs && to !== null && to !== target)`,
    '60_000',
  ],
  'clocks-a-minute-apart': ['change-log', 'LOG_TOLERANCE_MS = seconds(3)', 'LOG_TOLERANCE_MS = seconds(60)'],
  'wish-overtakes-a-write': [
    'manual-write',
    'write.unansweredUntil !== null && write.target !== wish.status',
    'write.target === undefined',
  ],
  'wish-of-an-hour-ago': ['hold', 'WISH_MS = minutes(2)', 'WISH_MS = hours(1)'],
  'manual-change-keeps-the-hold': [
    'outcomes',
    'const isOwn = work.hold?.userId === userId;',
    'if (work.now > 0) return;\n  const isOwn = false;',
  ],
  'external-resume-is-paused-again': [
    'outcomes',
    "? 'deactivated' : 'released'",
    "? 'released' : 'released'",
  ],
  'heir-without-smartpause': [
    'transfer',
    ' && isOn(user, campaignId) && user.hasAccess',
    ' && user.hasAccess',
  ],
  'away-is-deleted': ['follow-hold', "actual === 'AWAY' ? AWAY_MS : STALE_READ_MS", 'STALE_READ_MS'],
  'five-tries': ['hold', 'REFUSED_TRIES = 2', 'REFUSED_TRIES = 5'],
  'ended-campaigns-count': [
    'plan-account',
    "undelivered(campaign ?? {}, now) === 'ended',",
    "undelivered({}, now) === 'ended',",
  ],
  'unknown-starts-pauses': [
    'account',
    "return status.effective !== 'UNKNOWN';",
    "return status.effective !== 'UP';",
  ],
  'limits-do-not-bind': [
    'work',
    'Math.max(from, isBound ? (write.retryAt ?? 0) : 0)',
    'isBound ? (write.retryAt ?? 0) : 0',
  ],
  'leavers-may-hold': ['account', ' && user.hasAccess && !user.isLeaving', ' && user.hasAccess'],
  'resume-in-the-match': [
    'follow-hold',
    'holder.resumeAt === null || holder.resumeAt > work.now',
    'holder.resumeAt !== null && holder.resumeAt > work.now',
  ],
  'hold-begins-while-a-resume-may-arrive': [
    'decide-campaign',
    'const isFree = hold === null && arriving(work) === null &&',
    'const isFree = hold === null &&',
  ],
};

export const MUTANTS: Record<string, PlantedFault> = Object.fromEntries(
  Object.entries(FAULTS).map(([name, [file, find, replace]]) => [
    name,
    { file: `src/core/reconciler/${file}.ts`, find, replace },
  ]),
);
