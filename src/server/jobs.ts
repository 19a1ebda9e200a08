import type { Instant } from '#core/time.ts';
import { days, hours, minutes, seconds } from '#core/time.ts';
import { dropOldDeliveries } from './db/billing/billing-customers.ts';
import { dropOrphanedAccounts } from './db/campaigns.ts';
import { dropOldHolds } from './db/holds/holds.ts';
import { dropOldActivities } from './db/journal.ts';
import { dropMailsOfNobody, dropOldMails } from './db/mails.ts';
import { dropExpiredSessions } from './db/users/sessions.ts';
import { dropOldAnswers } from './db/status/status-answers.ts';
import { resealTokens } from './db/users/tokens.ts';
import { checkPrices } from './services/billing/billing-checkout.ts';
import { syncDue } from './services/billing/billing-sync.ts';
import type { OperationDeps } from './services/deps.ts';
import { finishAllLeaving } from './services/account/leave.ts';
import { tellLongUnknown } from './services/long-unknown.ts';
import { checkTokens } from './services/account/tokens.ts';
import { startRounds } from './rounds.ts';

/** Stripe tries for three days; a signature is good for five minutes. */
const DELIVERIES_KEPT_MS = days(30);
/** What was done, what is over of it, and the mails that told of it. */
const HISTORY_KEPT_MS = days(400);

interface Job {
  name: string;
  everyMs: number;
  /** @param startedAt when this process began */
  run: (deps: OperationDeps, startedAt: Instant) => Promise<void>;
}

/** What comes round by itself, beside the engine. Each looks at what is due; any number of processes may, at any time. */
export const JOBS: readonly Job[] = [
  { name: 'leaving', everyMs: seconds(2), run: finishAllLeaving },
  { name: 'checking tokens', everyMs: seconds(5), run: checkTokens },
  { name: 'reading subscriptions', everyMs: seconds(10), run: syncDue },
  { name: 'checking prices', everyMs: hours(1), run: checkPrices },
  { name: 'long unknown', everyMs: minutes(1), run: tellLongUnknown },
  { name: 'sealing tokens anew', everyMs: hours(1), run: sealAnew },
  { name: 'tidying up', everyMs: hours(1), run: tidyUp },
];

export function startJobs(deps: OperationDeps): { close: () => Promise<void> } {
  const { clock, log } = deps;
  const startedAt = clock.now();
  const jobs = JOBS.map(({ name, everyMs, run }) =>
    startRounds({ name, everyMs, clock, log, run: () => run(deps, startedAt) }),
  );
  return {
    close: async () => {
      await Promise.all(jobs.map((job) => job.close()));
    },
  };
}

async function sealAnew({ db, vault, log }: OperationDeps): Promise<void> {
  const { count, lost } = await resealTokens(db, vault);
  if (count > 0) log.info({ count, key: vault.keyId }, 'platform tokens were sealed with the newest key');
  for (const { personId, keyId } of lost) {
    log.error(
      { person: personId, key: keyId },
      'a platform token cannot be opened with what ENCRYPTION_KEY holds',
    );
  }
  if (lost.length > 0)
    log.error({ count: lost.length }, 'platform tokens are lost until their people log in again');
}

export async function tidyUp({ db, clock }: Pick<OperationDeps, 'db' | 'clock'>): Promise<void> {
  await dropExpiredSessions(db, clock.now());
  await dropOrphanedAccounts(db);
  await dropMailsOfNobody(db);
  const before = clock.now() - HISTORY_KEPT_MS;
  await dropOldMails(db, before);
  await dropOldActivities(db, before);
  await dropOldHolds(db, before);
  await dropOldAnswers(db, clock.now());
  await dropOldDeliveries(db, clock.now() - DELIVERIES_KEPT_MS);
}
