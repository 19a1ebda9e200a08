import type { HistoryEntry } from '#contract/outage-api.ts';
import { ApiError } from '#contract/errors.ts';
import { HISTORY_DAYS } from '#core/periods.ts';
import { END_REASONS, RELEASE_LABELS } from '#core/smartpause/release-labels.ts';
import { asSentence, withoutCampaign } from '#core/smartpause/activity-text.ts';
import { NOT_PAUSED_LABELS, refusalLabel } from '#core/smartpause/not-paused.ts';
import type { Instant } from '#core/time.ts';
import { days } from '#core/time.ts';
import type { Db } from '../../db/database.ts';
import type {
  CampaignActivity,
  RecordedReason,
  ReportlessHold,
  UnpausedHold,
} from '../../db/reports/campaign-history.ts';
import { findOwnCampaign } from '../../db/campaigns.ts';
import {
  findCampaignActivities,
  findReasonsOf,
  findUnpausedHolds,
} from '../../db/reports/campaign-history.ts';
import { findPendingOutages } from '../../db/status/outage-users.ts';
import type { User } from '../../db/users/users.ts';
import type { Clock } from '../../clock.ts';
import type { Needs } from '../deps.ts';
import { findNotPaused } from './not-paused.ts';

const ENTRIES = 50;
const NOT_PAUSED = 'SmartPause did not pause this campaign.';

type Entry = Omit<HistoryEntry, 'at'> & { at: Instant };

const KINDS: Record<string, Entry['kind']> = {
  paused: 'paused',
  test_paused: 'paused',
  test_resumed: 'resumed',
  test_released: 'not_resumed',
  resumed: 'resumed',
  released: 'not_resumed',
  deactivated: 'not_resumed',
  refused: 'not_resumed',
  manual_pause: 'manual',
  manual_resume: 'manual',
  manual_failed: 'manual',
  smartpause: 'setting',
  settings: 'setting',
};

/** What happened to one campaign, newest first. */
export async function getCampaignHistory(
  { db, clock }: Needs<'db'> & { clock: Pick<Clock, 'now'> },
  user: User,
  query: { id: string; cursor?: string | undefined },
) {
  const campaign = await findOwnCampaign(db, user.id, query.id);
  if (campaign === null) throw new ApiError('CAMPAIGN_NOT_FOUND');
  const now = clock.now();
  const until = query.cursor === undefined ? now : Number(query.cursor.split('-')[0]);
  // Entries of the same millisecond may belong to the page before.
  const about = {
    userId: user.id,
    campaignId: query.id,
    since: now - days(HISTORY_DAYS),
    until,
    limit: 2 * ENTRIES,
  };
  const activities = await findCampaignActivities(db, about);
  const reasons = await findReasonsOf(db, about);
  const live = await findLiveReasons(db, user, about, now);
  const unpaused = await findUnpausedHolds(db, about);
  const recorded = new Set(reasons.map(({ outageId }) => outageId));
  const all = [
    ...activities.map((one) => ofActivity(one, user)),
    ...[...reasons, ...live.filter(({ outageId }) => !recorded.has(outageId))].map(ofReason),
    // A pause that is under way is no answer yet.
    ...unpaused.filter((hold) => hold.isEnded || refusalLabel(hold.lastError) !== null).map(ofUnpaused),
  ]
    .filter((entry) => query.cursor === undefined || isBefore(cursorOf(entry), query.cursor))
    .toSorted((a, b) => (isBefore(cursorOf(a), cursorOf(b)) ? 1 : -1));
  const page = all.slice(0, ENTRIES);
  const last = page.at(-1);
  return {
    campaign: { id: campaign.id, name: campaign.name, accountId: campaign.accountId },
    entries: page,
    next: all.length > ENTRIES && last !== undefined ? cursorOf(last) : null,
  };
}

/** Why the campaign is not paused in outages that have no record yet. */
async function findLiveReasons(
  db: Db,
  user: User,
  { campaignId, until }: { campaignId: string; until: Instant },
  now: Instant,
): Promise<RecordedReason[]> {
  const pending = (await findPendingOutages(db, user.id)).filter(({ startedAt }) => startedAt <= until);
  const found = await Promise.all(
    pending.map(async (outage) => {
      const [record] = await findNotPaused(db, [user], outage, { now, campaignId });
      const reason = record?.reason ?? record?.notPaused[campaignId];
      return reason === undefined ? [] : [{ outageId: outage.id, startedAt: outage.startedAt, reason }];
    }),
  );
  return found.flat();
}

function ofActivity({ id, at, actor, event, message, outageId, hold }: CampaignActivity, user: User): Entry {
  // The message of a refused pause has Meta's own words.
  const isRefused = event === 'refused';
  const kind = isRefused && hold !== null ? 'not_paused' : (KINDS[event] ?? 'other');
  const about = { id: `a${id}`, at, actor, user: actor === 'user' ? user.name : null, outageId };
  return kind === 'not_resumed' && hold !== null
    ? { ...about, kind: 'not_paused', ...unpausedText(hold) }
    : { ...about, kind, ...withoutCampaign(message, user.name) };
}

function ofUnpaused({ id, at, outageId, ...hold }: ReportlessHold): Entry {
  const about = { id: `h${id}`, at, kind: 'not_paused', actor: 'smartpause', user: null, outageId } as const;
  return { ...about, ...unpausedText(hold) };
}

function unpausedText({ release, lastError }: UnpausedHold): Pick<Entry, 'message' | 'reason'> {
  const refusal = refusalLabel(lastError);
  const known = END_REASONS.find((one) => one === release);
  const reason = refusal ?? (known === undefined ? NOT_PAUSED_LABELS.unanswered : RELEASE_LABELS[known]);
  return { message: NOT_PAUSED, reason: asSentence(reason) };
}

function ofReason({ outageId, startedAt, reason }: RecordedReason): Entry {
  return {
    ...{ id: `o${outageId}`, at: startedAt, kind: 'not_paused', actor: 'smartpause', user: null, outageId },
    message: NOT_PAUSED,
    reason: asSentence(NOT_PAUSED_LABELS[reason]),
  };
}

function cursorOf({ at, id }: Entry): string {
  return `${at}-${id}`;
}

/** Whether the first one is older; entries of one millisecond are ordered by kind and id. */
function isBefore(cursor: string, other: string): boolean {
  const [at = '', id = ''] = cursor.split('-');
  const [otherAt = '', otherId = ''] = other.split('-');
  if (at !== otherAt) return Number(at) < Number(otherAt);
  if (id.charAt(0) !== otherId.charAt(0)) return id.charAt(0) < otherId.charAt(0);
  return Number(id.slice(1)) < Number(otherId.slice(1));
}
