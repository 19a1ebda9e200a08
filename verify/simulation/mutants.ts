import type { PlantedFault } from '../fixtures/planted-fault.ts';

/** Faults that are planted in the product, to see that the simulation finds them. */
export const MUTANTS: Record<string, PlantedFault> = {
  'forget-the-intent': {
    file: 'src/server/db/holds/writes.ts',
    find: 'unansweredUntil: date(write.unansweredUntil),',
    replace: 'unansweredUntil: null,',
  },
  'unknown-is-up': {
    file: 'src/core/smartpause/level.ts',
    find: "return effective === 'UNKNOWN' ? previous : effective;",
    replace: "return effective === 'UNKNOWN' ? 'UP' : effective;",
  },
  'pause-while-unknown': {
    file: 'src/core/reconciler/account.ts',
    find: "return status.effective !== 'UNKNOWN';",
    replace: 'return true;',
  },
  'delay-resumes-while-unknown': {
    file: 'src/core/reconciler/account.ts',
    find: 'return resumeAt(status, { threshold: hold.threshold, resume: user.resume });',
    replace:
      "return status.effective === 'UNKNOWN' ? null : resumeAt(status, { threshold: hold.threshold, resume: user.resume });",
  },
  'overrule-external-change': {
    file: 'src/core/reconciler/follow-hold.ts',
    find: 'if (holder.wasTurnedOff) return',
    replace: "if (holder.isPauseWanted) return send(work, 'PAUSED');\n    if (holder.wasTurnedOff) return",
  },
  'pause-although-smartpause-was-turned-off': {
    file: 'src/server/services/campaigns/campaigns.ts',
    find: 'await wake(tx, [accountId]);',
    replace: "if (setting === 'ON') await wake(tx, [accountId]);",
  },
  'a-midnight-without-summer-time': {
    file: 'src/core/smartpause/resume-time.ts',
    find: 'return nextOneMinutePastMidnight(matchEndedAt);',
    replace: 'return Math.ceil((matchEndedAt - 18_060_000) / 86_400_000) * 86_400_000 + 18_060_000;',
  },
  'hold-without-subscription': {
    file: 'src/core/reconciler/account.ts',
    find: 'user.mayHold && user.hasAccess && !user.isLeaving;',
    replace: 'user.hasAccess && !user.isLeaving;',
  },
  'strand-after-subscription-ends': {
    file: 'src/core/reconciler/account.ts',
    find: 'return resumeAt(status, { threshold: hold.threshold, resume: user.resume });',
    replace:
      'return user.mayHold ? resumeAt(status, { threshold: hold.threshold, resume: user.resume }) : null;',
  },
  'medium-is-met-by-low': {
    file: 'src/core/smartpause/level.ts',
    find: '{ LOW: 1, MEDIUM: 2, HIGH: 3 };\n\nexport function',
    replace: '{ LOW: 1, MEDIUM: 1, HIGH: 3 };\n\nexport function',
  },
  'forget-when-a-resume-is-due': {
    file: 'src/core/reconciler/follow-hold.ts',
    find: 'if (holder.resumeAt === null || holder.resumeAt > work.now) return { lookAt: holder.resumeAt };',
    replace: 'if (holder.resumeAt === null || holder.resumeAt > work.now) return { lookAt: null };',
  },
  'wait-for-no-lost-pause': {
    file: 'src/core/reconciler/follow-hold.ts',
    find: "if (hold.state === 'cancelling' && !isKnown && mayArrive === null) return endUnneeded(work, hold);",
    replace: "if (hold.state === 'cancelling' && !isKnown) return endUnneeded(work, hold);",
  },
  'forget-lost-writes': {
    file: 'src/core/reconciler/decide-campaign.ts',
    find: 'unansweredUntil: earlierUntil,',
    replace: 'unansweredUntil: null,',
  },
  'overrule-external-pause': {
    file: 'src/core/reconciler/change-log.ts',
    find: "? 'unclear' : true;",
    replace: "? 'unclear' : false;",
  },
  'ignore-concurrent-settings-change': {
    file: 'src/server/reconciler/store.ts',
    find: 'generations.get(intent.accountId) === intent.generation &&',
    replace: 'generations.has(intent.accountId) &&',
  },
  'believe-the-better-of-two-files': {
    file: 'src/server/platforms/meta/status-page/status-page.ts',
    find: 'parts: [line, ...ofService],',
    replace: 'parts: [line, ...(outages === null ? ofService : [])],',
  },
  'believe-half-a-page': {
    file: 'src/core/smartpause/status.ts',
    find: 'return atLeast !== null && levelNumber(atLeast.level) > levelNumber(trueLevel) ? atLeast : null;',
    replace: 'return atLeast;',
  },
  'believe-a-frozen-page': {
    file: 'src/server/platforms/meta/status-page/status-file.ts',
    find: 'ageMs > OUT_OF_DATE_MS)',
    replace: 'ageMs > OUT_OF_DATE_MS * 1000)',
  },
  'believe-an-old-reading': {
    file: 'src/core/smartpause/status.ts',
    find: 'return checkedAt === null || now - checkedAt > staleMs;',
    replace: 'return checkedAt === null || now - checkedAt > staleMs * 1000;',
  },
  'answer-what-is-not-saved': {
    file: 'src/server/services/campaigns/campaigns.ts',
    find: 'await saveSmartPause(tx, {',
    replace: "if (campaign.smartPauseSetting !== 'DEACTIVATED') await saveSmartPause(tx, {",
  },
  'no-email-after-an-hour-of-unknown': {
    file: 'src/server/services/long-unknown.ts',
    find: 'if (since === null) return;',
    replace: 'if (since !== null) return;',
  },
  'no-email-about-deactivation': {
    file: 'src/server/db/activities.ts',
    find: 'return kind === null || activity.userId === null',
    replace: "return kind === null || activity.event === 'deactivated' || activity.userId === null",
  },
  'keep-trying-what-meta-refuses-for-good': {
    file: 'src/core/reconciler/work.ts',
    find: 'write.refusals >= REFUSED_TRIES;',
    replace: 'write.refusals >= REFUSED_TRIES * 1000;',
  },
  'pause-what-has-ended': {
    file: 'src/core/reconciler/plan-account.ts',
    find: 'if (outside !== null) return outside;',
    replace: "if (outside === 'scheduled') return outside;",
  },
  'write-against-a-lost-write': {
    file: 'src/core/reconciler/work.ts',
    find: 'return write === null || write.unansweredUntil === null ? null : write.target;',
    replace: 'return write === null || write.unansweredUntil === null ? null : null;',
  },
  'restore-no-external-resume': {
    file: 'src/core/reconciler/settle-write.ts',
    find: "else if (fate.kind === 'overrode' &&",
    replace: "else if (fate.kind === 'overrode' && fate.status === 'PAUSED' &&",
  },
  'never-resume-a-live-test': {
    file: 'src/core/reconciler/account.ts',
    find: 'if (hold.testUntil !== null) return hold.testUntil;',
    replace: 'if (hold.testUntil !== null) return null;',
  },
  'let-the-user-write-against-a-hold': {
    file: 'src/core/reconciler/manual-write.ts',
    find: 'if (write.unansweredUntil !== null && write.target !== wish.status)',
    replace: 'if (write.unansweredUntil !== null && write.target === null)',
  },
  'drop-results-of-a-call': {
    file: 'src/server/reconciler/reconcile-account.ts',
    find: 'progress.results = applied.results;',
    replace: 'progress.results = null;',
  },
  'forget-the-holder-who-lost-access': {
    file: 'src/server/reconciler/pass.ts',
    find: 'tokens.has(user.id) && !unreachable.has(user.id) &&',
    replace: 'tokens.has(user.id) &&',
  },
  'read-the-log-from-now-on': {
    file: 'src/server/reconciler/read-change-log.ts',
    find: '...[...account.holds.values()].map((hold) => hold.readAt),',
    replace: '',
  },
  'take-no-fate-of-an-unanswered-call': {
    file: 'src/server/reconciler/apply-writes.ts',
    find: "if (failure.maybeDone) return 'unanswered';",
    replace: "if (failure.maybeDone) return 'not_done';",
  },
  'end-a-test-late': {
    file: 'src/server/db/holds/holds.ts',
    find: 'test_until = case when h.test_until is not null then holds.test_until end,',
    replace: 'test_until = holds.test_until,',
  },
  'keep-smartpause-of-other-users-on': {
    file: 'src/server/db/holds/holds.ts',
    find: 'and (sp.user_id = given.user_id or sp.changed_at <= given.seen_at)',
    replace: 'and sp.user_id = given.user_id',
  },
};
