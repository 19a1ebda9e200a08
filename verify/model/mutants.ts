import type { PlantedFault } from '../fixtures/planted-fault.ts';

const inFile =
  (name: string) =>
  (find: string, replace: string): PlantedFault => ({
    file: `src/core/reconciler/${name}.ts`,
    find,
    replace,
  });
const hold = inFile('hold');
const log = inFile('change-log');
const decide = inFile('decide-campaign');
const follow = inFile('follow-hold');
const refusal = inFile('refusals');
const manual = inFile('manual-write');
const settle = inFile('settle-write');
const work = inFile('work');
const world = inFile('world');
const plan = inFile('plan-account');
const transfer = inFile('transfer');
const outcome = inFile('outcomes');
const missing = inFile('missing-campaigns');
const ofSmartPause = (name: string, find: string, replace: string): PlantedFault => ({
  file: `src/core/smartpause/${name}.ts`,
  find,
  replace,
});

const reading = (find: string, replace: string) => ofSmartPause('status-reading', find, replace);

const BY_LOG = `if (work.log === 'unread') return readLog(work);
    const ended = endByLog(work, hold);
    if (ended !== null) return { continue: ended };
`;

/** Faults that are planted in the decision, to see that the model check finds them. */
export const MUTANTS: Record<string, PlantedFault> = {
  'opposite-at-once': work('write === null || write.unansweredUntil === null ? null : write.target', 'null'),
  'forgotten-intent': work('unansweredUntil: now + LATE_WRITE_MS,', 'unansweredUntil: null,'),
  'no-cancelling': follow(
    "'pausing' && !isWanted) return 'cancelling';",
    "'pausing' && !isWanted) return 'ended';",
  ),
  'turned-off-before-the-answer': follow("hold.state === 'paused' && isUndone", 'false'),
  'release-by-reads-alone': follow(
    `${BY_LOG}    const again`,
    "if (work.now > 0) return { continue: endHold(work, 'resumed_outside') };\n    const again",
  ),
  'a-read-proves-the-resume': follow(
    `${BY_LOG}  }\n  if (mayArrive`,
    "return { continue: endHold(work, 'resumed') };\n  }\n  if (mayArrive",
  ),
  'any-entry-of-others-releases': log(
    'if (last.at > knownAt + LOG_TOLERANCE_MS) return last;',
    'if (last.at > 0) return last;',
  ),
  'a-silent-log-means-no-pause': settle(
    "(kind === 'untouched' || kind === 'external')",
    "kind === 'external'",
  ),
  'an-older-change-of-others-is-the-last': settle(
    "(kind === 'untouched' || kind === 'external')",
    "kind === 'untouched'",
  ),
  'a-hold-undoes-a-button': decide('doubtRunning(work) ?? send', 'send'),
  'a-gap-in-the-list-hides-a-campaign': missing('[...new Set([...owed, ...pausable])]', '[...new Set(owed)]'),
  'old-copies-of-the-page-count': reading('date < storedAt - SERVERS_APART_MS', 'date < 0'),
  'one-reading-ends-a-match': reading(
    'if (!isBelow(given.level, before.knownTrueLevel))',
    'if (isBelow(given.level, before.knownTrueLevel) || now > 0)',
  ),
  'no-log-before-resume': follow(
    "if (isTheirs === true) return { continue: endHold(work, 'paused_outside') };",
    '',
  ),
  'no-restore': settle(
    "fate.kind === 'overrode' && !isOwn(work, write, fate.at)",
    "fate.kind === 'overrode' && work.now < 0",
  ),
  'refused-counts-as-sent': decide('unansweredUntil: earlierUntil, firstSentAt }', 'firstSentAt }'),
  'one-read-is-enough': follow('if (work.readAt >= since + forMs) return null;', 'return null;'),
  'no-verification-after-a-confirming-read': outcome(
    "state: 'done', retryAt: null } } : work;",
    "state: 'done', retryAt: null, unansweredUntil: null } } : work;",
  ),
  'late-writes-for-20-s': hold('SEND_WITHIN_MS + seconds(60)', 'SEND_WITHIN_MS + seconds(15)'),
  'former-write-counts': log(
    `LOG_TOLERANCE_MS ||
      // No opposite writes are in flight at once, so an opposite one of ours was sent and carried out earlier.
      (isOurs && to !== null && to !== target)`,
    '60_000',
  ),
  'clocks-a-minute-apart': log('LOG_TOLERANCE_MS = seconds(3)', 'LOG_TOLERANCE_MS = seconds(60)'),
  'wish-overtakes-a-write': manual(
    'write.unansweredUntil !== null && write.target !== wish.status',
    'write.target === undefined',
  ),
  'wish-of-an-hour-ago': hold('WISH_MS = minutes(2)', 'WISH_MS = hours(1)'),
  'any-refused-resume-is-owed': refusal(
    '[confirmedAt, changedOutsideAt, turnedAt]',
    '[confirmedAt, changedOutsideAt]',
  ),
  'manual-change-keeps-the-hold': outcome(
    'const isOwn = work.hold?.userId === userId;',
    'if (work.now > 0) return done;\n  const isOwn = false;',
  ),
  'external-resume-is-paused-again': outcome("? 'deactivated' : 'released'", "? 'released' : 'released'"),
  'heir-without-smartpause': transfer(
    '.filter((user) => isOn(user, campaignId) || user.id === asker)',
    '.filter(() => true)',
  ),
  'away-is-deleted': follow("actual === 'AWAY' ? AWAY_MS : STALE_READ_MS", 'STALE_READ_MS'),
  'five-tries': refusal('FINAL_TRIES = 2', 'FINAL_TRIES = 5'),
  'seven-days-are-two-tries': refusal('RETRY_MS.length + days(7) / hours(1)', '2'),
  'a-resume-in-the-hours-of-another-tool': plan(
    'keepsHours ? (world.schedules.get(campaignId) ?? null) : null',
    'null',
  ),
  'another-tool-turns-smartpause-off': outcome(
    'turnsOnAt(schedule, at) ?',
    'at < 0 && turnsOnAt(schedule, at) ?',
  ),
  'another-hold-in-the-match-of-another-tool': world('left.since >= matchSince', 'left.since < matchSince'),
  'resume-now-waits-for-the-end-of-the-match': world(
    ' || hold.resumeAsked !== null) return now;',
    ') return now;',
  ),
  'resume-now-inherits-a-hold': transfer(' && !hasResumed(world, user, campaignId, now),', ','),
  'resume-now-inherits-a-match': transfer('kept.threshold = hold.threshold', ''),
  'resume-now-hands-the-hold-over': transfer(
    'if (asker !== null) return',
    'if (asker !== null && now < 0) return',
  ),
  'resume-now-turns-smartpause-off': outcome(
    "'already_active', 'resumed_outside'] as const",
    "'already_active'] as const",
  ),
  'resume-now-holds-again-in-the-match': hold(
    "= ['resumed_by_schedule', 'resumed_now', 'resumed_by_other']",
    "= ['resumed_by_schedule']",
  ),
  'resume-now-of-an-unsent-pause-holds-again': outcome("'resumed', 'not_needed', ", "'resumed', "),
  'resume-now-is-lost-when-smartpause-is-turned-off': follow(
    '!holder.isOn && hold.resumeAsked === null && hold',
    '!holder.isOn && hold',
  ),
  'a-schedule-delays-resume-now': plan(' && hold.resumeAsked === null;', ';'),
  'each-refusal-is-final': decide("answer === 'refused_for_good', now", 'true, now'),
  'retry-now-delays-the-next-try': refusal('planned > now ? Math.min(planned, at) : at', 'at'),
  'a-block-binds-one-write-only': refusal('return Math.min(...planned, now + retryAfterMs);', 'return now;'),
  'a-leaver-is-abandoned': plan('(!user.hasAccess || isBlocked(user, now))', 'now > 0'),
  'a-leaver-resumes-for-others': transfer(
    'if (!isStuck && !isOver && !isRefused) return',
    'if (holder?.isLeaving === true || (!isStuck && !isOver && !isRefused)) return',
  ),
  'ended-campaigns-count': plan(
    "undelivered(campaign ?? {}, now) === 'ended',",
    "undelivered({}, now) === 'ended',",
  ),
  'a-word-without-an-end': ofSmartPause('signals', ' && (until === null || until > now);', ';'),
  'a-word-ends-as-an-outage': ofSmartPause('resume-time', 'isOfWordAlone(view, hold) ? now : ', ''),
  'the-end-of-a-word-ends-a-match': ofSmartPause(
    'resume-time',
    'return !meetsThreshold(known, threshold) && (matchSince[threshold] ?? 0) <= decidedAt;',
    'return true;',
  ),
  'an-outage-keeps-what-a-word-has-paused': ofSmartPause(
    'resume-time',
    "if (cause !== 'user' || isLeftAlone) return",
    "if (cause !== 'user') return",
  ),
  'the-end-of-a-warning-delays-nothing': ofSmartPause(
    'signals',
    'return until !== null && until <= now ? until : null;',
    'return null;',
  ),
  'a-warning-begins-a-match-in-a-match': ofSmartPause(
    'signals',
    'for (const one of earlier) if',
    'for (const one of []) if',
  ),
  'no-outage-takes-over-a-warning': transfer("return cause.cause === 'status' ?", 'return now < 0 ?'),
  'unknown-starts-pauses': world(
    "return status.effective !== 'UNKNOWN';",
    "return status.effective !== 'UP';",
  ),
  'limits-do-not-bind': work(
    'Math.max(from, isBound ? (write.retryAt ?? 0) : 0)',
    'isBound ? (write.retryAt ?? 0) : 0',
  ),
  'leavers-may-hold': world(' && user.hasAccess && !user.isLeaving', ' && user.hasAccess'),
  'resume-in-the-match': follow(
    'const isDue = holder.resumeAt !== null && holder.resumeAt <= work.now;\n  if',
    'const isDue = holder.resumeAt === null || holder.resumeAt <= work.now;\n  if',
  ),
  'hold-begins-while-a-resume-may-arrive': decide(
    'const isFree = hold === null && arriving(work) === null &&',
    'const isFree = hold === null &&',
  ),
};
