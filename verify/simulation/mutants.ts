import type { PlantedFault } from '../fixtures/planted-fault.ts';

/** Faults that are planted in the product, to see that the simulation finds them. */
export const MUTANTS: Record<string, PlantedFault> = {
  'forget-the-intent': {
    file: 'src/server/reconciler/loop.ts',
    find: 'intent === null ? [] :',
    replace: 'intent !== undefined ? [] :',
  },
  'delay-resumes-while-unknown': {
    file: 'src/core/reconciler/account.ts',
    find: 'return resumeAt(status, { threshold: hold.threshold, resume: user.resume });',
    replace:
      "return status.effective === 'UNKNOWN' ? null : resumeAt(status, { threshold: hold.threshold, resume: user.resume });",
  },
  'pause-although-smartpause-was-turned-off': {
    file: 'src/server/services/campaigns/smartpause-toggle.ts',
    find: 'await wake(tx, [accountId]);',
    replace: "if (setting === 'ON') await wake(tx, [accountId]);",
  },
  'forget-when-a-resume-is-due': {
    file: 'src/core/reconciler/follow-hold.ts',
    find: 'if (holder.resumeAt === null || holder.resumeAt > work.now) return { lookAt: holder.resumeAt };',
    replace: 'if (holder.resumeAt === null || holder.resumeAt > work.now) return { lookAt: null };',
  },
  'ignore-concurrent-settings-change': {
    file: 'src/server/reconciler/store.ts',
    find: 'generations.get(accountId) === plan?.generation &&',
    replace: 'generations.has(accountId) &&',
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
