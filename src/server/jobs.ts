import { days, hours, minutes, seconds } from '#core/time.ts';
import { dropOldDeliveries } from './db/billing-customers.ts';
import { dropOrphanedAccounts } from './db/campaigns.ts';
import { dropMailsOfNobody, dropOldMails } from './db/mails.ts';
import { dropExpiredSessions } from './db/sessions.ts';
import { resealTokens } from './db/tokens.ts';
import { checkPrices } from './operations/billing-checkout.ts';
import { syncDue } from './operations/billing-sync.ts';
import type { OperationDeps } from './operations/deps.ts';
import { finishAllLeaving } from './operations/leave.ts';
import { tellLongUnknown } from './operations/long-unknown.ts';
import { checkTokens } from './operations/tokens.ts';
import { startRounds } from './rounds.ts';

/** Stripe tries for three days; a signature is good for five minutes. */
const DELIVERIES_KEPT_MS = days(30);
const MAILS_KEPT_MS = days(400);

/** What comes round by itself, beside the engine. Each looks at what is due; any number of processes may. */
export function startJobs(deps: OperationDeps): { close: () => Promise<void> } {
  const { clock, log } = deps;
  const startedAt = clock.now();
  const every = (name: string, everyMs: number, run: () => Promise<void>) =>
    startRounds({ name, everyMs, clock, log, run });
  const jobs = [
    every('leaving', seconds(2), () => finishAllLeaving(deps)),
    every('checking tokens', seconds(5), () => checkTokens(deps)),
    every('reading subscriptions', seconds(10), () => syncDue(deps)),
    every('checking prices', hours(1), () => checkPrices(deps)),
    every('long unknown', minutes(1), () => tellLongUnknown(deps, startedAt)),
    every('sealing tokens anew', hours(1), () => sealAnew(deps)),
    every('tidying up', hours(1), () => tidyUp(deps)),
  ];
  return {
    close: async () => {
      await Promise.all(jobs.map((job) => job.close()));
    },
  };
}

async function sealAnew({ db, vault, log }: OperationDeps): Promise<void> {
  const count = await resealTokens(db, vault);
  if (count > 0) log.info({ count, key: vault.keyId }, 'platform tokens were sealed with the newest key');
}

async function tidyUp({ db, clock }: OperationDeps): Promise<void> {
  await dropExpiredSessions(db, clock.now());
  await dropOrphanedAccounts(db);
  await dropMailsOfNobody(db);
  await dropOldMails(db, clock.now() - MAILS_KEPT_MS);
  await dropOldDeliveries(db, clock.now() - DELIVERIES_KEPT_MS);
}
