import type { OutageCampaign, OutageSummary } from '#contract/outage-api.ts';
import { ApiError } from '#contract/errors.ts';
import { HISTORY_DAYS } from '#core/periods.ts';
import { END_REASONS } from '#core/smartpause/release-labels.ts';
import type { NotPausedReason } from '#core/smartpause/not-paused.ts';
import { keptSpending, matchedAt, refusalLabel } from '#core/smartpause/not-paused.ts';
import type { Instant } from '#core/time.ts';
import { days } from '#core/time.ts';
import { findListing, listAdAccounts } from '../../db/ad-accounts.ts';
import type { Db } from '../../db/database.ts';
import type { CampaignFilter, HoldOfOutage, UserOutage } from '../../db/reports/outage-history.ts';
import {
  findHoldsOfOutage,
  findMessages,
  findNames,
  findRecordedReasons,
  findUserOutages,
} from '../../db/reports/outage-history.ts';
import type { User } from '../../db/users/users.ts';
import type { Clock } from '../../clock.ts';
import type { Needs } from '../deps.ts';
import { findNotPaused } from './not-paused.ts';

type Deps = Needs<'db'> & { clock: Pick<Clock, 'now'> };
/** Times as instants; the contract sends them as text. */
type Timed<T, Key extends keyof T> = Omit<T, Key> & { [Name in Key]: Instant | Extract<T[Name], null> };
type Summary = Timed<OutageSummary, 'startedAt' | 'endedAt' | 'matchedAt'>;
type CampaignRow = Timed<
  OutageCampaign,
  'decidedAt' | 'sentAt' | 'pausedAt' | 'resumeSentAt' | 'resumedAt' | 'endedAt'
>;

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
  const found = await findUserOutages(db, {
    userId: user.id,
    since: now - days(HISTORY_DAYS),
    before: query.cursor,
    accountId: query.adAccountId,
    limit: OUTAGES + 1,
  });
  const page = found.slice(0, OUTAGES);
  return {
    outages: await summariesOf(
      db,
      user,
      page,
      await liveOf(db, user, page, { now, accountId: query.adAccountId }),
    ),
    next: found.length > OUTAGES ? (page.at(-1)?.id ?? null) : null,
  };
}

interface OutageQuery extends Omit<CampaignFilter, 'accountId'> {
  id: string;
  cursor?: string | undefined;
  adAccountId?: string | undefined;
}

/** One outage with a page of its campaigns: those with a hold first. */
export async function getOutage({ db, clock }: Deps, user: User, query: OutageQuery) {
  const now = clock.now();
  const { id, cursor, adAccountId: accountId, result, search } = query;
  await requireAccount(db, user, accountId);
  const about = { userId: user.id, since: now - days(HISTORY_DAYS), id, accountId, limit: 1 };
  const [outage] = await findUserOutages(db, about);
  if (outage === undefined) throw new ApiError('NOT_FOUND');
  const live = await liveOf(db, user, [outage], { now, accountId });
  const [summary] = await summariesOf(db, user, [outage], live);
  if (summary === undefined) throw new Error('an outage without a summary');
  const accounts = (await listAdAccounts(db, user.id, now)).map(({ id: own, name }) => ({ id: own, name }));
  const filter = { accountId, result, search };
  const page = await campaignsOf(db, { user, outage, live, filter }, cursor);
  return { outage: { ...summary, levels: [...outage.levels], accounts }, ...page };
}

/** Whether another user has such an account stays hidden. */
async function requireAccount(db: Db, user: User, accountId: string | undefined): Promise<void> {
  if (accountId !== undefined && (await findListing(db, user.id, accountId)) === null)
    throw new ApiError('AD_ACCOUNT_NOT_FOUND');
}

async function summariesOf(
  db: Db,
  user: User,
  outages: readonly UserOutage[],
  lives: Lives,
): Promise<Summary[]> {
  const from = outages.at(-1)?.startedAt;
  const messages =
    from === undefined ? [] : await findMessages(db, { from, to: outages[0]?.endedAt ?? null });
  return outages.map((outage) => {
    const { id, startedAt, endedAt, peak, paused, resumed, stillPaused, notResumed, lastPausedAt } = outage;
    const during = messages.filter(({ at }) => at >= startedAt && at < (endedAt ?? Infinity));
    // Meta's own words may contain a colon as well.
    const words = during.map(
      ({ message }) => /^(?<component>.*?): (?<quote>.*)$/.exec(message)?.groups ?? {},
    );
    const threshold =
      outage.record?.threshold ?? outage.pausedThreshold ?? (isLive(outage) ? user.threshold : null);
    const met = threshold === null ? null : matchedAt(outage.levels, threshold);
    const live = lives.get(id) ?? null;
    return {
      ...{ id, startedAt, endedAt, peak, threshold, matchedAt: met },
      components: [...new Set(words.flatMap(({ component }) => component ?? []))],
      quotes: [...new Set(words.flatMap(({ quote }) => quote ?? []))],
      counts: {
        ...{ paused, resumed, stillPaused, notResumed },
        notPaused: outage.notPaused + (live?.campaignIds.length ?? 0),
      },
      reason: live === null ? reasonOf(outage) : live.reason,
      lastPauseAfterMs: met === null || lastPausedAt === null ? null : Math.max(lastPausedAt - met, 0),
    };
  });
}

/** Its record is still to be written. */
function isLive(outage: UserOutage): boolean {
  return outage.record === null && outage.isSetUp && outage.isPending;
}

function reasonOf(outage: UserOutage): NotPausedReason | null {
  if (outage.record !== null) return outage.record.reason;
  return outage.isSetUp ? (outage.paused > 0 ? null : 'not_recorded') : 'not_set_up';
}

interface PageQuery {
  user: User;
  outage: UserOutage;
  live: Lives;
  filter: CampaignFilter;
}

async function campaignsOf(
  db: Db,
  query: PageQuery,
  cursor: string | undefined,
): Promise<{ campaigns: CampaignRow[]; next: string | null }> {
  const { user, outage, filter } = query;
  const after = cursor?.startsWith('h') === true ? cursor.slice(1) : null;
  const isPastHolds = cursor !== undefined && after === null;
  const holds = isPastHolds
    ? []
    : await findHoldsOfOutage(db, { userId: user.id, outage, after, filter, limit: CAMPAIGNS + 1 });
  if (holds.length > CAMPAIGNS) {
    const page = holds.slice(0, CAMPAIGNS);
    return { campaigns: page.map(ofHold), next: `h${page.at(-1)?.id ?? ''}` };
  }
  const rest = await notPausedOf(db, query, isPastHolds ? cursor : null);
  const page = rest.slice(0, CAMPAIGNS - holds.length);
  const next = rest.length > page.length ? (page.at(-1)?.id ?? 'n0') : null;
  return { campaigns: [...holds.map(ofHold), ...page], next };
}

function ofHold(hold: HoldOfOutage): CampaignRow {
  const { id, campaignId, name, accountId, result, lastError, ...times } = hold;
  const { decidedAt, sentAt, pausedAt, resumeSentAt, resumedAt, endedAt } = times;
  const isPaused = pausedAt !== null;
  const refused = isPaused ? null : refusalLabel(lastError);
  const ended = END_REASONS.find((one) => one === hold.reason) ?? null;
  return {
    ...{ id: `h${id}`, campaignId, name, accountId },
    ...{ decidedAt, sentAt, pausedAt, resumeSentAt, resumedAt, endedAt },
    result,
    reason: refused !== null ? 'refused' : ended,
    detail: hold.refusal ?? refused,
  };
}

/** The campaigns without a hold, by name, those that kept spending first. @param after the id of a row */
async function notPausedOf(
  db: Db,
  { user, outage, live, filter }: PageQuery,
  after: string | null,
): Promise<CampaignRow[]> {
  if (filter.result !== undefined && filter.result !== 'not_paused') return [];
  const reasons =
    live.get(outage.id)?.reasons ?? (await findRecordedReasons(db, { userId: user.id, outageId: outage.id }));
  const lastId = after?.slice(1);
  const names = await findNames(db, [...Object.keys(reasons), ...(lastId === undefined ? [] : [lastId])]);
  const last = after === null ? null : { id: after, name: names.get(after.slice(1))?.name ?? '' };
  return [...names]
    .flatMap(([campaignId, campaign]): CampaignRow[] => {
      const reason = reasons[campaignId];
      if (reason === undefined || !passes({ campaignId, ...campaign }, filter)) return [];
      const id = `${keptSpending(reason) ? 'r' : 'n'}${campaignId}`;
      return [{ id, campaignId, ...campaign, ...NOTHING_DONE, result: 'not_paused', reason, detail: null }];
    })
    .filter((row) => last === null || inOrder(row, last) > 0)
    .sort(inOrder);
}

const NOTHING_DONE = {
  decidedAt: null,
  sentAt: null,
  pausedAt: null,
  resumeSentAt: null,
  resumedAt: null,
  endedAt: null,
};

function passes(
  campaign: { campaignId: string; name: string; accountId: string },
  { accountId, search }: CampaignFilter,
): boolean {
  if (accountId !== undefined && campaign.accountId !== accountId) return false;
  if (search === undefined) return true;
  return campaign.campaignId === search || campaign.name.toLowerCase().includes(search.toLowerCase());
}

type Placed = Pick<CampaignRow, 'id' | 'name'>;

/** The first letter of the id tells whether the campaign ran; 'r' comes before 'n'. */
function inOrder(a: Placed, b: Placed): number {
  return (
    compare(b.id.charAt(0), a.id.charAt(0)) ||
    compare(a.name.toLowerCase(), b.name.toLowerCase()) ||
    compare(a.id, b.id)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** By outage id. */
type Lives = ReadonlyMap<
  string,
  { reason: NotPausedReason | null; reasons: Record<string, NotPausedReason>; campaignIds: string[] }
>;

/** What is known now about those outages that have no record yet. */
async function liveOf(
  db: Db,
  user: User,
  outages: readonly UserOutage[],
  { now, accountId }: { now: Instant; accountId: string | undefined },
): Promise<Lives> {
  const lives = new Map<string, NonNullable<ReturnType<Lives['get']>>>();
  for (const outage of outages.filter(isLive)) {
    const [own] = await findNotPaused(db, [user], outage, { now });
    const reasons = own?.notPaused ?? {};
    const ids = Object.keys(reasons);
    const names = accountId === undefined ? null : await findNames(db, ids);
    const campaignIds = ids.filter((id) => names === null || names.get(id)?.accountId === accountId);
    lives.set(outage.id, { reason: own?.reason ?? null, reasons, campaignIds });
  }
  return lives;
}
