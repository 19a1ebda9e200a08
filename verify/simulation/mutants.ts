import type { PlantedFault } from '../fixtures/planted-fault.ts';

/** Faults that are planted in the product, to see that the simulation finds them. */
export const MUTANTS: Record<string, PlantedFault> = {
  'forget-the-intent': {
    file: 'src/server/reconciler/loop.ts',
    find: 'if (intent === null) return true;',
    replace: 'if (intent !== undefined) return true;',
  },
  'a-passing-refusal-is-final': {
    file: 'src/server/platforms/meta/final-refusals.ts',
    find: 'return FINAL_REFUSALS.has',
    replace: 'return !FINAL_REFUSALS.has',
  },
  'forget-when-a-resume-is-due': {
    file: 'src/core/reconciler/follow-hold.ts',
    find: 'if (!isDue) return lookAgain(notePostponed(work, hold, holder), holder.resumeAt);',
    replace: 'if (!isDue) return lookAgain(work, null);',
  },
  'ignore-concurrent-settings-change': {
    file: 'src/server/reconciler/store.ts',
    find: 'return lock.generation === plan.generation && ',
    replace: 'return ',
  },
  'drop-results-of-a-call': {
    file: 'src/server/reconciler/apply-writes.ts',
    find: 'pass.updates = concerned.map((change) => updateOf(pass, change));',
    replace: 'pass.updates = null;',
  },
  'take-no-fate-of-an-unanswered-call': {
    file: 'src/server/reconciler/apply-writes.ts',
    find: "if (failure.maybeDone) return 'unanswered';",
    replace: "if (failure.maybeDone) return 'not_done';",
  },
  'keep-smartpause-of-other-users-on': {
    file: 'src/server/db/holds/holds.ts',
    find: 'and (sp.user_id = given.user_id or sp.changed_at <= given.seen_at)',
    replace: 'and sp.user_id = given.user_id',
  },
  'forget-the-schedules-of-other-tools': {
    file: 'src/server/reconciler/pass.ts',
    find: 'schedules: stored.schedules,',
    replace: 'schedules: new Map(),',
  },
  'end-each-day-in-new-york': {
    file: 'src/server/reconciler/pass.ts',
    find: 'timeZone: stored.timeZone,',
    replace: 'timeZone: null,',
  },
  'resume-all-ends-nothing': {
    file: 'src/server/services/campaigns/pause-all.ts',
    find: 'await setEnd(tx, word.id, now);',
    replace: '',
  },
  'recorded-warnings-pause': {
    file: 'src/server/db/signals.ts',
    find: "`acts and state = 'PROBABLE'`",
    replace: "`state = 'PROBABLE'`",
  },
  'warnings-pause-for-all': {
    file: 'src/server/db/signals.ts',
    find: 'unnest(${LET_PAUSE} *',
    replace: "unnest('{(,)}'::tstzmultirange *",
  },
  'calls-alone-pause': {
    file: 'src/server/db/signals.ts',
    find: "`acts and state = 'PROBABLE'`",
    replace: '`acts`',
  },
  'warnings-wake-no-account': {
    file: 'src/server/detection/warn.ts',
    find: 'await requestWake(tx, THRESHOLDS);',
    replace: '',
  },
  'warnings-act-after-their-end-by-an-admin': {
    file: 'src/server/services/admin/early-warning.ts',
    find: 'await weigh(tx, acts, now);',
    replace: 'if (acts) await weigh(tx, acts, now);',
  },
  'forget-warnings-that-have-ended': {
    file: 'src/server/db/signals.ts',
    find: 'Math.min(now - LATEST_RESUME_MS, matchBegan ?? now)',
    replace: 'now',
  },
  'forget-earlier-choices': {
    file: 'src/server/db/users/users.ts',
    find: 'then lets_pause_earlier else ${LET_PAUSE} end',
    replace: 'then lets_pause_earlier else lets_pause_earlier end',
  },
  'hold-again-after-another-tool': {
    file: 'src/server/db/holds/holds.ts',
    find: 'and (sp.user_id = r.user_id or ${isResumedForAll})',
    replace: 'and sp.user_id = r.user_id',
  },
};
