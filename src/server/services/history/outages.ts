import { ApiError } from '#contract/errors.ts';
import { HISTORY_DAYS } from '#core/periods.ts';
import { reasonOfOutage, refusalLabel } from '#core/outages/why-not-paused.ts';
import type { OutageResult } from '#core/outages/outage.ts';
import { days } from '#core/time.ts';
import { findListing, listAdAccounts } from '../../db/ad-accounts.ts';
import type { Db } from '../../db/database.ts';
import type { CampaignOfOutage, UserOutage } from '../../db/reports/outage-history.ts';
import {
  findCampaignsOfOutage,
  findDisabledSince,
  findUserOutages,
} from '../../db/reports/outage-history.ts';
import type { User } from '../../db/users/users.ts';
import type { Clock } from '../../clock.ts';
import type { Needs } from '../deps.ts';
import { findLiveRecords } from './record-outages.ts';
import { getKept, getSpend } from './spend.ts';

type Deps = Needs<'db'> & { clock: Pick<Clock, 'now'> };

const OUTAGES = 20;
const CAMPAIGNS = 100;

/** The user's outages, newest first. */
export async function getOutages(
  { db, clock }: Deps,
  user: User,
  query: { cursor?: string | undefined; adAccountId?: string | undefined },
) {
  const now = clock.now();
  await requireAccount(db, user, query.adAccountId);
  const found = await findUserOutages(db, await findLiveRecords(db, user, now), {
    userId: user.id,
    since: now - days(HISTORY_DAYS),
    before: query.cursor,
    accountId: query.adAccountId,
    limit: OUTAGES + 1,
  });
  const page = found.slice(0, OUTAGES);
  // Of one ad account alone nothing is estimated.
  const ids = query.adAccountId === undefined ? page.map(({ id }) => id) : [];
  const kept = await getKept(db, user, ids);
  const newest = query.cursor === undefined ? page[0] : undefined;
  return {
    outages: page.map((one) => ({ ...summaryOf(one), kept: kept.get(one.id) })),
    ...(newest !== undefined && { disabled: await findDisabledSince(db, user.id, newest.startedAt) }),
    next: found.length > OUTAGES ? (page.at(-1)?.id ?? null) : null,
  };
}

interface OutageQuery {
  id: string;
  cursor?: string | undefined;
  adAccountId?: string | undefined;
  result?: OutageResult | undefined;
  search?: string | undefined;
}

/** One outage with a page of its campaigns: those with a hold first. */
export async function getOutage({ db, clock }: Deps, user: User, query: OutageQuery) {
  const now = clock.now();
  const { id, cursor: after, adAccountId: accountId, result, search } = query;
  await requireAccount(db, user, accountId);
  const live = await findLiveRecords(db, user, now);
  const about = { userId: user.id, since: now - days(HISTORY_DAYS), id, accountId };
  const [outage] = await findUserOutages(db, live, { ...about, limit: 1 });
  if (outage === undefined) throw new ApiError('NOT_FOUND');
  const accounts = (await listAdAccounts(db, user.id, now)).map(({ id: own, name }) => ({ id: own, name }));
  const filter = { result, search, after, limit: CAMPAIGNS + 1 };
  const found = await findCampaignsOfOutage(db, live, { ...about, ...filter });
  const page = found.slice(0, CAMPAIGNS);
  const estimates = after === undefined && { estimates: await getSpend(db, user, outage, now) };
  return {
    outage: { ...summaryOf(outage), levels: [...outage.levels], accounts, ...estimates },
    campaigns: page.map(rowOf),
    next: found.length > CAMPAIGNS ? (page.at(-1)?.id ?? null) : null,
  };
}

/** Whether another user has such an account stays hidden. */
export async function requireAccount(db: Db, user: User, accountId: string | undefined): Promise<void> {
  if (accountId !== undefined && (await findListing(db, user.id, accountId)) === null)
    throw new ApiError('AD_ACCOUNT_NOT_FOUND');
}

function summaryOf({
  messages,
  levels: _levels,
  lastPauseAfterMs: tookMs,
  record,
  wasSetUp,
  ...outage
}: UserOutage) {
  // Meta's own words may contain a colon as well.
  const words = messages.map((message) => /^(?<component>.*?): (?<quote>.*)$/.exec(message)?.groups ?? {});
  return {
    ...outage,
    reason: reasonOfOutage(record, { wasSetUp, paused: outage.counts.paused }),
    // The clocks of two processes differ.
    lastPauseAfterMs: tookMs === null ? null : Math.max(tookMs, 0),
    components: [...new Set(words.flatMap(({ component }) => component ?? []))],
    quotes: [...new Set(words.flatMap(({ quote }) => quote ?? []))],
  };
}

function rowOf({ failureKind, refusal, outside, postponedUntil, ...row }: CampaignOfOutage) {
  const refused = row.pausedAt === null ? refusalLabel(failureKind) : null;
  return {
    ...row,
    reason: refused === null ? row.reason : 'refused',
    detail: refusal ?? refused,
    ...(outside !== null && { outside }),
    ...(postponedUntil !== null && row.endedAt === null && { postponedUntil }),
  };
}
