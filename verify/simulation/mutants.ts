import type { PlantedFault } from '../fixtures/planted-fault.ts';

/** Faults that are planted in the product, to see that the simulation finds them. */
export const MUTANTS: Record<string, PlantedFault> = {
  'forget-the-intent': {
    file: 'src/server/db/holds/holds.ts',
    find: "'pausing', 1, ${at}::timestamptz, ${at}::timestamptz,",
    replace: "'pausing', 1, null, ${at}::timestamptz,",
  },
  'unknown-is-up': {
    file: 'src/core/smartpause/level.ts',
    find: "return effective === 'UNKNOWN' ? previous : effective;",
    replace: "return effective === 'UNKNOWN' ? 'UP' : effective;",
  },
  'pause-while-unknown': {
    file: 'src/core/smartpause/plan.ts',
    find: "mayStartPause: status.effective !== 'UNKNOWN',",
    replace: 'mayStartPause: true,',
  },
  'delay-resumes-while-unknown': {
    file: 'src/core/smartpause/plan.ts',
    find: 'resumeFrom: owner.leaving ? now : resumeAt(status, owner),',
    replace:
      "resumeFrom: owner.leaving ? now : status.effective === 'UNKNOWN' ? null : resumeAt(status, owner),",
  },
  'hold-what-is-paused-already': {
    file: 'src/core/smartpause/plan.ts',
    find: "if (status !== 'ACTIVE') return 'already_paused';",
    replace: "if (status === 'GONE') return 'already_paused';",
  },
  'overrule-external-change': {
    file: 'src/core/smartpause/decide.ts',
    find: 'if (!hold.turnedOff)',
    replace:
      "if (given.pauseWanted) return { kind: 'send', hold: sent(hold, 'pausing', given.now) };\n  if (!hold.turnedOff)",
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
    file: 'src/core/smartpause/plan.ts',
    find: 'pauseWanted: matched && owner.mayHold && !owner.leaving,',
    replace: 'pauseWanted: matched && !owner.leaving,',
  },
  'strand-after-subscription-ends': {
    file: 'src/core/smartpause/plan.ts',
    find: 'resumeFrom: owner.leaving ? now : resumeAt(status, owner),',
    replace: 'resumeFrom: owner.leaving ? now : owner.mayHold ? resumeAt(status, owner) : null,',
  },
  'medium-is-met-by-low': {
    file: 'src/core/smartpause/level.ts',
    find: '{ LOW: 1, MEDIUM: 2, HIGH: 3 };\n\nexport function',
    replace: '{ LOW: 1, MEDIUM: 1, HIGH: 3 };\n\nexport function',
  },
  'forget-when-a-resume-is-due': {
    file: 'src/core/smartpause/decide.ts',
    find: 'if (resumeFrom === null || resumeFrom > now) return wait(resumeFrom);',
    replace: 'if (resumeFrom === null || resumeFrom > now) return wait(null);',
  },
  'release-on-first-read': {
    file: 'src/core/smartpause/decide.ts',
    find: 'return verifiedAt > Math.min(now, readAt) ? wait(verifiedAt) : step;',
    replace: 'return step;',
  },
  'wait-for-no-lost-pause': {
    file: 'src/core/smartpause/decide.ts',
    find: '  if (until !== null) return wait(until);\n  // A live test',
    replace: '  // A live test',
  },
  'forget-lost-writes': {
    file: 'src/core/smartpause/hold.ts',
    find: 'const left = earlierAt !== null && earlierAt + LATE_WRITE_MS > now ? earlierAt : null;',
    replace: 'const left = earlierAt !== null && earlierAt + LATE_WRITE_MS > now ? null : null;',
  },
  'watch-no-resume-that-was-sent-twice': {
    file: 'src/core/smartpause/hold.ts',
    find: "end: left === null ? { outcome: 'resumed' } : null",
    replace: "end: { outcome: 'resumed' }",
  },
  'overrule-external-pause': {
    file: 'src/core/smartpause/activity-log.ts',
    find: 'return { ...finding, external: last.at >= since };',
    replace: 'return { ...finding, external: false };',
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
  'count-from-an-edit-of-the-threshold': {
    file: 'src/core/smartpause/resume-time.ts',
    find: 'matchEndedAt: wasMatched ? now : matchEndedAt(status, before),',
    replace: 'matchEndedAt: now,',
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
    file: 'src/core/smartpause/hold.ts',
    find: 'return refusals >= REFUSED_TRIES;',
    replace: 'return refusals >= REFUSED_TRIES * 1000;',
  },
  'pause-what-has-ended': {
    file: 'src/core/smartpause/plan.ts',
    find: 'if (outside !== null) return outside;',
    replace: "if (outside === 'scheduled') return outside;",
  },
  'write-against-a-lost-write': {
    file: 'src/core/smartpause/decide.ts',
    find: 'return until !== null && until > Math.min(now, readAt) ? until : null;',
    replace: 'return until !== null && until > Math.min(now, readAt) ? null : null;',
  },
  'restore-no-external-resume': {
    file: 'src/core/smartpause/decide.ts',
    find: "if (finding.undone && live === 'PAUSED')",
    replace: "if (finding.undone && live === 'ACTIVE')",
  },
  'pause-against-a-lost-resume-of-the-user': {
    file: 'src/core/smartpause/manual-change.ts',
    find: 'return one.isOver ? (expiryOf(one) ?? 0) : now + NEXT_LOOK_MS;',
    replace: 'return 0;',
  },
  'never-resume-a-live-test': {
    file: 'src/core/smartpause/plan.ts',
    find: 'resumeFrom: isPauseWanted ? null : isLeaving ? now : testUntil,',
    replace: 'resumeFrom: isLeaving ? now : null,',
  },
  'let-the-user-write-against-a-hold': {
    file: 'src/core/smartpause/manual-change.ts',
    find: "return until > now ? { kind: 'wait', until } : { kind: 'send' };",
    replace: "return { kind: 'send' };",
  },
};
