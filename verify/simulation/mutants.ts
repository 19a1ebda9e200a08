import type { PlantedFault } from '../fixtures/planted-fault.ts';

/** Faults that are planted in the product, to see that the simulation finds them. */
export const MUTANTS = {
  'forget-the-intent': {
    file: 'src/server/db/holds/holds.ts',
    find: "sp.campaign_id, 'pausing', 1, true,",
    replace: "sp.campaign_id, 'pausing', 1, false,",
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
    find: "status === 'ACTIVE' && world.settings.get(id) === 'ON'",
    replace: "status !== 'GONE' && world.settings.get(id) === 'ON'",
  },
  'pause-again-over-a-hand': {
    file: 'src/core/smartpause/decide-hold.ts',
    find: "return decideFoundChanged(hold, 'ACTIVE', given);",
    replace:
      "return given.pauseWanted ? take({ kind: 'pause' }) : decideFoundChanged(hold, 'ACTIVE', given);",
  },
  'pause-although-smartpause-was-turned-off': {
    file: 'src/server/db/holds/holds.ts',
    find: "where sp.setting = 'ON' and person.leaving is null\n      and coalesce",
    replace: 'where coalesce',
  },
  'a-midnight-without-summer-time': {
    file: 'src/core/smartpause/resume-time.ts',
    find: 'return nextOneMinutePastMidnight(matchEndedAt);',
    replace: 'return Math.ceil((matchEndedAt - 18_060_000) / 86_400_000) * 86_400_000 + 18_060_000;',
  },
  'hold-for-whoever-does-not-pay': {
    file: 'src/core/smartpause/plan.ts',
    find: 'pauseWanted: matched && owner.mayHold && !owner.leaving,',
    replace: 'pauseWanted: matched && !owner.leaving,',
  },
  'strand-whoever-stops-paying': {
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
    file: 'src/core/smartpause/decide-hold.ts',
    find: 'return wait(Math.min(given.resumeFrom, late ?? given.resumeFrom));',
    replace: 'return nothing;',
  },
  'give-up-at-first-sight': {
    file: 'src/core/smartpause/decide-hold.ts',
    find: 'return secondSight > Math.min(given.now, given.readAt) ? wait(secondSight) : take(step);',
    replace: 'return take(step);',
  },
  'wait-for-no-lost-pause': {
    file: 'src/core/smartpause/decide-hold.ts',
    find: 'if (lateUntil > given.now) return wait(lateUntil);',
    replace: '',
  },
  'forget-lost-writes': {
    file: 'src/core/smartpause/hold.ts',
    find: 'return until > now ? until : null;\n  };',
    replace: 'return until > now ? null : null;\n  };',
  },
  'look-not-again-after-a-pause': {
    file: 'src/server/reconciler/carry-out.ts',
    find: "next.state === 'paused' ? next.lateResumeUntil : mayArriveUntil(next, now)",
    replace: "next.state === 'paused' ? null : mayArriveUntil(next, now)",
  },
  'watch-no-resume-that-was-sent-twice': {
    file: 'src/core/smartpause/hold.ts',
    find: 'Math.max(hold.latePauseUntil ?? 0, hold.lateResumeUntil ?? 0) > now;',
    replace: '(hold.latePauseUntil ?? 0) > now;',
  },
  'forget-what-a-former-hold-sent': {
    file: 'src/server/db/holds/holds.ts',
    find: 'then least(former.late, ${at}::timestamptz + ${lateWrite}) end',
    replace: 'then null::timestamptz end',
  },
  'overrule-a-hand': {
    file: 'src/core/smartpause/hands.ts',
    find: 'told.changedByOthers.add(campaignId);',
    replace: 'told.changedByOthers.delete(campaignId);',
  },
  'forget-that-settings-changed-meanwhile': {
    file: 'src/server/reconciler/ledger.ts',
    find: 'isDeepStrictEqual(choices.get(personId), plannedFrom.choices),',
    replace: 'true,',
  },
  'believe-the-better-of-two-files': {
    file: 'src/server/platforms/meta/status-page/status-page.ts',
    find: 'const parts = [line, ...(list.success ? ofService : [UNREADABLE])];',
    replace: 'const parts = [line, ...(list.success ? [] : [UNREADABLE])];',
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
  'tell-nobody-of-what-was-deactivated': {
    file: 'src/server/db/journal.ts',
    find: 'return kind === null || activity.personId === null',
    replace: "return kind === null || activity.event === 'deactivated' || activity.personId === null",
  },
  'a-clock-put-back-is-not-noticed': {
    file: 'src/server/db/clock-put-back.ts',
    find: 'if (!(await findTimesAhead(db, isAhead))) return false;\n  return',
    replace: 'if (leases.laneMs > 0) return false;\n  return',
  },
  'work-on-without-the-lease': {
    file: 'src/server/reconciler/ledger.ts',
    find: 'held.has(accountId) &&',
    replace: '(held.has(accountId) || true) &&',
  },
} satisfies Record<string, PlantedFault>;

export type MutantName = keyof typeof MUTANTS;

export function isMutant(name: string): name is MutantName {
  return Object.hasOwn(MUTANTS, name);
}
