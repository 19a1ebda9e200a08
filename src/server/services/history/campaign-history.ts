import type { Api } from '#contract/api.ts';
import type { ResultOf } from '#contract/endpoint.ts';
import { ApiError } from '#contract/errors.ts';
import { warningText } from '#core/detection/warning-words.ts';
import { kindsOf, readEvent, wordsForUser } from '#core/events.ts';
import { HISTORY_DAYS, SPEND_MS } from '#core/periods.ts';
import { RELEASE_LABELS } from '#core/outages/release-labels.ts';
import { activityText, asSentence } from '#core/outages/activity-text.ts';
import { refusalLabel } from '#core/outages/why-not-paused.ts';
import { NOT_PAUSED_LABELS } from '#core/outages/reasons.ts';
import type { Instant } from '#core/time.ts';
import { days } from '#core/time.ts';
import { listAdAccounts } from '../../db/ad-accounts.ts';
import type { Db } from '../../db/database.ts';
import type { CampaignEntry, Position } from '../../db/reports/campaign-history.ts';
import { ENDS, findCampaignEntries } from '../../db/reports/campaign-history.ts';
import { findWarningsBefore } from '../../db/early-warning.ts';
import { findOwnCampaign } from '../../db/campaigns.ts';
import { findOutagesBetween } from '../../db/status/outages.ts';
import type { User } from '../../db/users/users.ts';
import type { Clock } from '../../clock.ts';
import type { Needs } from '../deps.ts';
import { compareInOutage } from './compared-delivery.ts';
import { findLiveRecords } from './record-outages.ts';

const ENTRIES = 50;

type Entry = ResultOf<Api['campaignHistory']>['entries'][number];

/** What happened to one campaign, newest first. */
export async function getCampaignHistory(
  { db, clock }: Needs<'db'> & { clock: Pick<Clock, 'now'> },
  user: User,
  query: { id: string; cursor?: string | undefined },
) {
  const campaign = await findOwnCampaign(db, user.id, query.id);
  if (campaign === null) throw new ApiError('CAMPAIGN_NOT_FOUND');
  const now = clock.now();
  const rows = await findCampaignEntries(db, await findLiveRecords(db, user, now), {
    ...{ userId: user.id, accountId: campaign.accountId, campaignId: query.id },
    since: now - days(HISTORY_DAYS),
    before: query.cursor === undefined ? null : positionOf(query.cursor),
    limit: ENTRIES + 1,
  });
  const page = rows.slice(0, ENTRIES);
  const last = page.at(-1);
  return {
    campaign: { id: campaign.id, name: campaign.name, accountId: campaign.accountId },
    entries: await withSpend(db, { user, campaign, now }, page),
    next: rows.length > ENTRIES && last !== undefined ? `${last.at}-${last.source}${last.no}` : null,
  };
}

/** The last entry of each outage of the last weeks says what the campaign spent in it. */
async function withSpend(
  db: Db,
  given: { user: User; campaign: { id: string; accountId: string }; now: Instant },
  page: readonly CampaignEntry[],
): Promise<Entry[]> {
  const { user, campaign, now } = given;
  const since = now - SPEND_MS;
  const newest = new Map(page.toReversed().map((row) => [row.outageId, row]));
  const account = (await listAdAccounts(db, user.id, now)).find(({ id }) => id === campaign.accountId);
  const spent = new Map<CampaignEntry, Entry['spent']>();
  const recent = newest.size === 0 ? [] : await findOutagesBetween(db, since, now);
  for (const { id, startedAt, endedAt } of recent) {
    const row = newest.get(id);
    if (row === undefined || endedAt === null || account === undefined || startedAt < since) continue;
    const one = { campaignId: campaign.id, timeZone: account.timeZone };
    const compared = await compareInOutage(db, { id, startedAt, until: endedAt }, [one]);
    const { inside = null, usual = null } = compared.get(campaign.id) ?? {};
    if (inside !== null && usual !== null)
      spent.set(row, { currency: account.currency, inside: inside.spend, usual: usual.spend });
  }
  const warnings = await findWarningsOf(db, page);
  return page.map((row) => ({ ...entryOf(row, user, warnings.get(row)), spent: spent.get(row) }));
}

/** What the early warnings stood on that have paused the campaign: full sentences. */
async function findWarningsOf(db: Db, page: readonly CampaignEntry[]): Promise<Map<CampaignEntry, string>> {
  const early = page.filter(({ activity }) => {
    const happened = activity === null ? null : readEvent(activity.event, activity.facts);
    return happened?.event === 'paused' && happened.facts.cause === 'early_warning';
  });
  const found = new Map<CampaignEntry, string>();
  if (early.length === 0) return found;
  const warnings = await findWarningsBefore(db, Math.max(...early.map(({ at }) => at)));
  for (const row of early) {
    const warning = warnings.find(({ since }) => since <= row.at);
    if (warning !== undefined) found.set(row, warningText(warning.evidence));
  }
  return found;
}

/** @param cursor such as '1790000000000-a12' */
function positionOf(cursor: string): Position {
  const [at = '', entry = ''] = cursor.split('-');
  return { at: Number(at), source: entry.charAt(0) as Position['source'], no: entry.slice(1) };
}

/** @param evidence of the early warning that has paused it */
function entryOf(row: CampaignEntry, user: User, evidence?: string): Entry {
  const { at, source, no, outageId, activity, unpaused, reason, seen } = row;
  const actor = activity?.actor ?? 'smartpause';
  const about = {
    ...{ id: `${source}${no}`, at, outageId, actor, user: actor === 'user' ? user.name : null },
  };
  if (seen !== null) return { ...about, ...changeSeen(seen) };
  const isUnpaused = unpaused !== null && ENDS.some((event) => event === activity?.event);
  // The message of a refused pause has Meta's own words.
  if (activity !== null && (!isUnpaused || activity.event === 'refused'))
    return {
      ...about,
      kind: isUnpaused ? 'not_paused' : kindsOf(activity.event, activity.facts).kind,
      message: activityText(
        { ...wordsForUser(activity.event, activity.facts, activity), detail: null },
        'this campaign',
      ),
      reason:
        activity.detail === null
          ? null
          : [asSentence(activity.detail), evidence].filter((part) => part !== undefined).join(' '),
    };
  const why = reason === null ? whyUnpaused(unpaused) : NOT_PAUSED_LABELS[reason];
  return {
    ...about,
    kind: 'not_paused',
    message: 'SmartPause did not pause this campaign.',
    reason: asSentence(why),
  };
}

/** A read has shown another status than ours, and Meta's log has not named its author yet, or is not asked for it. */
function changeSeen({
  status,
  isHeld,
}: NonNullable<CampaignEntry['seen']>): Pick<Entry, 'kind' | 'message' | 'reason'> {
  if (isHeld && status === 'ACTIVE')
    return {
      kind: 'being_checked',
      message: 'Meta shows this campaign running.',
      reason: 'SmartPause had paused it, and is reading in Meta’s log who resumed it.',
    };
  const did =
    { ACTIVE: 'resumed', PAUSED: 'paused', ARCHIVED: 'archived', DELETED: 'deleted' }[status] ?? 'changed';
  const message = `This campaign was ${did} outside SmartPause.`;
  return {
    kind: 'outside',
    message,
    reason: 'That is when SmartPause noticed it, for example from Ads Manager.',
  };
}

function whyUnpaused(hold: CampaignEntry['unpaused']): string {
  if (hold === null) return NOT_PAUSED_LABELS.not_recorded;
  const ended = hold.release === null ? NOT_PAUSED_LABELS.unanswered : RELEASE_LABELS[hold.release];
  return refusalLabel(hold.failureKind) ?? ended;
}
