import { ApiError } from '#contract/errors.ts';
import { byName } from '#core/campaign.ts';
import { HISTORY_DAYS } from '#core/periods.ts';
import type { Instant } from '#core/time.ts';
import { days, hours } from '#core/time.ts';
import { listAdAccounts } from '../../db/ad-accounts.ts';
import type { Db } from '../../db/database.ts';
import { findCampaignsOfOutage, findUserOutages } from '../../db/reports/outage-history.ts';
import { findSaid } from '../../db/status/status.ts';
import type { StoredStatusFile } from '../../db/status/status-files.ts';
import { findStatusFilesAt } from '../../db/status/status-files.ts';
import type { User } from '../../db/users/users.ts';
import { findUsers } from '../../db/users/users.ts';
import { encryptLink, decryptLink } from '../../encrypted-link.ts';
import type { Needs } from '../deps.ts';
import { compareInOutage } from './compared-delivery.ts';
import { findLiveRecords } from './record-outages.ts';

/** Long enough to read, print and save the page. */
const LINK_MS = hours(1);
const CONTEXT = 'evidence of an outage';
/** More than any user has. */
const CAMPAIGNS_MOST = 100_000;

type Deps = Needs<'db' | 'clock' | 'cipher'>;
export type Evidence = Awaited<ReturnType<typeof collect>>;

/** The address of a page about one outage that is over, which works without a login for an hour, so that it prints without a script. */
export async function linkEvidence({ db, clock, cipher }: Deps, user: User, outageId: string) {
  const now = clock.now();
  const outage = await findOutage(db, user, outageId, now);
  if (outage?.endedAt == null) throw new ApiError('NOT_FOUND');
  return { path: `/evidence/${encryptLink(cipher, [user.id, outageId, now + LINK_MS], CONTEXT)}` };
}

/** Null: the address is wrong or too old, or the user or the outage is gone. */
export async function readEvidence({ db, clock, cipher }: Deps, link: string): Promise<Evidence | null> {
  const given = decryptLink(cipher, link, CONTEXT);
  if (given === null) return null;
  const [userId, outageId, until] = given as [string, string, Instant];
  const now = clock.now();
  const user = (await findUsers(db, [userId])).get(userId);
  if (user === undefined || now >= until) return null;
  const outage = await findOutage(db, user, outageId, now);
  return outage === null ? null : collect(db, { user, outage, now, until });
}

/** The answers of the status page that it is about. */
export function readAnswers({ db }: Needs<'db'>, { times }: Evidence): Promise<StoredStatusFile[]> {
  return findStatusFilesAt(db, times);
}

async function findOutage(db: Db, user: User, id: string, now: Instant) {
  const live = await findLiveRecords(db, user, now);
  const since = now - days(HISTORY_DAYS);
  const [outage] = await findUserOutages(db, live, { userId: user.id, since, id, limit: 1 });
  return outage === undefined ? null : { ...outage, live, since };
}

interface Given {
  user: User;
  outage: NonNullable<Awaited<ReturnType<typeof findOutage>>>;
  now: Instant;
  until: Instant;
}

async function collect(db: Db, { user, outage, now, until }: Given) {
  const { id, startedAt, endedAt, peak, levels, live, since } = outage;
  const end = endedAt ?? now;
  const about = { userId: user.id, since, id };
  const accounts = await listAdAccounts(db, user.id, now);
  const found = await findCampaignsOfOutage(db, live, { ...about, limit: CAMPAIGNS_MOST, order: 'none' });
  const campaigns = found.toSorted(
    (a, b) => Number(a.result === 'not_paused') - Number(b.result === 'not_paused') || byName(a.name, b.name),
  );
  const zones = new Map(accounts.map(({ id: accountId, timeZone }) => [accountId, timeZone]));
  const compared = await compareInOutage(
    db,
    { id, startedAt, until: end },
    campaigns.map(({ campaignId, accountId }) => ({ campaignId, timeZone: zones.get(accountId) ?? null })),
  );
  return {
    ...{ user: user.name, startedAt, endedAt, peak, levels, now, until },
    said: await findSaid(db, startedAt, end),
    /** When the status page's answers matter. */
    times: [startedAt, ...levels.map(({ at }) => at), end],
    accounts: accounts.map(({ id: accountId, name, currency, timeZone }) => ({
      ...{ id: accountId, name, currency, timeZone },
    })),
    campaigns: campaigns.map(({ campaignId, name, accountId, result, pausedAt, resumedAt }) => ({
      ...{ campaignId, name, accountId, result, pausedAt, resumedAt },
      ...(compared.get(campaignId) ?? { inside: null, usual: null }),
    })),
  };
}
