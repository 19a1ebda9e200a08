import { DELIVERY } from '../../src/core/detection/parameters.ts';
import type { CampaignWrite, Hold } from '../../src/core/reconciler/hold.ts';
import type { EarlyWarningChoice, ResumeSettings } from '../../src/core/settings.ts';
import type { Directive, KnownLevel, Level, Threshold } from '../../src/core/smartpause/level.ts';
import { meetsThreshold } from '../../src/core/smartpause/level.ts';
import type { SignalSource } from '../../src/core/smartpause/signals.ts';

/** Reads rows beside the product: PGlite in memory or a connection to PostgreSQL. */
export type Query = <R>(sql: string) => Promise<R[]>;

export interface HoldRow extends Pick<Hold, 'state' | 'threshold' | 'outcome' | 'cause'> {
  /** Null: its first write is being sent. */
  id: number | null;
  /** The campaign and when its hold's first read began, which no change of the hold alters. */
  key: string;
  user_id: number;
  campaign_id: string;
  release_reason: string | null;
  decided_at: string | null;
  paused_at: string | null;
  /** The end of a live test; null: a pause for an outage. */
  test_until: string | null;
  /** Another tool has its campaign off at the time of its resume. */
  postponed_until: string | null;
}

/** The last write of a campaign. */
export interface WriteRow extends Pick<CampaignWrite, 'origin'> {
  campaign_id: string;
  /** A copy without an answer may arrive until then. */
  unanswered_until: string | null;
}

export interface UserRow {
  id: number;
  platform_user_id: string;
  threshold: Threshold;
  resume_settings: ResumeSettings;
  leaving: string | null;
  email: string | null;
  early_warning: EarlyWarningChoice;
  /** From when to when the choice was that they pause, and before. */
  lets_pause_since: string | null;
  lets_pause_until: string | null;
  earlier: { since: string; until: string }[];
}

/** What the calls, the delivery and both together say for everyone. */
export interface SignalRow {
  id: number;
  source: SignalSource;
  state: string;
  acts: boolean;
  since: string;
  until: string | null;
}

/** The part of the database that the rules refer to. */
export interface Snapshot {
  holds: HoldRow[];
  campaign_writes: WriteRow[];
  users: UserRow[];
  /** Of users: what they said themselves. */
  signals: { user_id: number; since: string; until: string | null }[];
  /** Of everyone: early warnings and what they stand on. */
  warnings: SignalRow[];
  /** Since when an admin lets early warnings act; null: they are only recorded. */
  acting_since: string | null;
  /** When the sources were put together last. */
  weighed_at: string | null;
  /** Of other tools, by campaign. */
  schedules: Record<string, unknown>;
  /** Of ad accounts, by campaign. */
  time_zones: Record<string, string>;
  smartpause_settings: { user_id: number; campaign_id: string; setting: string }[];
  status: {
    true_level: Level;
    override_level: Directive | null;
    known_level: KnownLevel;
    checked_at: string | null;
    match_since: Record<Threshold, number | null>;
  };
}

const QUERY = `select json_build_object(
  'holds', (select coalesce(json_agg(row_to_json(h) order by id), '[]') from (
    select *, campaign_id || '/' || floor(extract(epoch from read_at) * 1000) as key from holds) h),
  'intents', (select coalesce(json_agg(intent), '[]') from work_items where intent is not null),
  'campaign_writes', (select coalesce(json_agg(row_to_json(w)), '[]') from campaign_writes w),
  'users', (select coalesce(json_agg(row_to_json(u)), '[]') from (select *, (select coalesce(json_agg(json_build_object(
    'since', lower(let), 'until', upper(let))), '[]') from unnest(lets_pause_earlier) let) as earlier from users) u),
  'smartpause_settings', (select coalesce(json_agg(row_to_json(s)), '[]') from smartpause_settings s),
  'signals', (select coalesce(json_agg(row_to_json(g)), '[]') from signals g where user_id is not null),
  'warnings', (select coalesce(json_agg(row_to_json(g) order by id), '[]') from signals g where user_id is null),
  'acting_since', (select acting_since from detection),
  'weighed_at', (select weighed_at from detection),
  'schedules', (select coalesce(json_object_agg(id, other_schedule), '{}') from campaigns where other_schedule is not null),
  'time_zones', (select coalesce(json_object_agg(c.id, a.time_zone), '{}') from campaigns c
    join ad_accounts a on a.id = c.account_id where a.time_zone is not null),
  'status', (select row_to_json(s) from platform_status s))::text as everything`;

export async function takeSnapshot(query: Query): Promise<Snapshot> {
  const [row] = await query<{ everything: string }>(QUERY);
  const { intents, ...snapshot } = JSON.parse(row?.everything ?? '{}') as Snapshot & { intents: Intent[][] };
  const writes = new Map(snapshot.campaign_writes.map((write) => [write.campaign_id, write]));
  for (const { hold, write } of intents.flat()) {
    if (hold !== undefined) addHold(snapshot, hold);
    const { campaignId, origin, unansweredUntil } = write;
    const until = new Date(unansweredUntil).toISOString();
    writes.set(campaignId, { campaign_id: campaignId, origin, unanswered_until: until });
  }
  return { ...snapshot, campaign_writes: [...writes.values()] };
}

/** A change whose write is being sent: rows once its result is known. Null values are left out. */
interface Intent {
  hold?: Pick<Hold, 'userId' | 'state' | 'threshold' | 'readAt'> & Partial<Hold> & { campaignId: string };
  write: Pick<CampaignWrite, 'origin'> & { campaignId: string; unansweredUntil: number };
}

function addHold({ holds }: Snapshot, hold: NonNullable<Intent['hold']>): void {
  const { userId, campaignId, state, threshold, readAt, outcome = null, releaseReason = null } = hold;
  const {
    pausedAt = null,
    testUntil = null,
    postponedUntil = null,
    cause = 'status',
    decidedAt = null,
  } = hold;
  const at = (instant: number | null) => (instant === null ? null : new Date(instant).toISOString());
  const live = holds.find((one) => one.campaign_id === campaignId && one.state !== 'ended');
  const row: HoldRow = {
    ...{ id: live?.id ?? null, key: `${campaignId}/${readAt}`, user_id: Number(userId) },
    ...{ campaign_id: campaignId, state, threshold, outcome, release_reason: releaseReason },
    ...{
      cause,
      decided_at: at(decidedAt),
      paused_at: at(pausedAt),
      test_until: at(testUntil),
      postponed_until: at(postponedUntil),
    },
  };
  if (live === undefined) holds.push(row);
  else holds[holds.indexOf(live)] = row;
}

/** The page meets the threshold. */
export function isMatched({ status }: Snapshot, threshold: Threshold): boolean {
  return meetsThreshold(status.known_level, threshold);
}

/** Since when the user's own word is on; null: it is not. */
export function saidSinceIn(
  { signals }: Snapshot,
  { user_id: user }: Pick<HoldRow, 'user_id'>,
): number | null {
  const isOver = (until: string | null): boolean => until !== null && Date.parse(until) <= Date.now();
  const word = signals.find((one) => one.user_id === user && !isOver(one.until));
  return word === undefined ? null : Date.parse(word.since);
}

export function isSaidIn(snapshot: Snapshot, hold: Pick<HoldRow, 'user_id'>): boolean {
  return saidSinceIn(snapshot, hold) !== null;
}

/** When the user let early warnings pause; Infinity: they still do. */
export function choicesOf(user: UserRow): { since: number; until: number }[] {
  const { lets_pause_since: since, lets_pause_until: until, earlier } = user;
  return [...earlier, ...(since === null ? [] : [{ since, until }])].map((choice) => ({
    since: Date.parse(choice.since),
    until: choice.until === null ? Infinity : Date.parse(choice.until),
  }));
}

/** The early warnings that pause for the user, from when and until when; Infinity: it goes on. */
function warningsFor(
  { warnings, users, weighed_at: weighedAt }: Snapshot,
  { user_id: userId }: Pick<HoldRow, 'user_id'>,
): { since: number; until: number }[] {
  const user = users.find(({ id }) => id === userId);
  const choices = user === undefined ? [] : choicesOf(user);
  const weighed = weighedAt === null ? Infinity : Date.parse(weighedAt);
  const isStale = Date.now() - weighed > DELIVERY.lastsMs;
  return warnings
    .filter(({ source, state, acts }) => source === 'early_warning' && state === 'PROBABLE' && acts)
    .flatMap(({ since, until }) => {
      const end = until === null ? (isStale ? weighed : Infinity) : Date.parse(until);
      return choices.map((choice) => ({
        since: Math.max(Date.parse(since), choice.since),
        until: Math.min(end, choice.until),
      }));
    })
    .filter(({ since, until }) => until > since);
}

/** An early warning acts, and the user has chosen that it pauses. */
export function isWarnedIn(snapshot: Snapshot, hold: Pick<HoldRow, 'user_id'>): boolean {
  return warningsFor(snapshot, hold).some(({ until }) => until === Infinity);
}

/** When the match beside the user's own word ended last: that of the page, or an early warning for them. */
export function matchEndIn(snapshot: Snapshot, hold: Pick<HoldRow, 'user_id' | 'threshold'>): number {
  const ends = warningsFor(snapshot, hold).flatMap(({ until }) => (until === Infinity ? [] : [until]));
  return Math.max(snapshot.status.match_since[hold.threshold] ?? 0, ...ends);
}

/** Since when the match beside the user's own word lasts: of the page and of early warnings in a row. Null: there is none. */
export function matchBeginIn(
  snapshot: Snapshot,
  hold: Pick<HoldRow, 'user_id' | 'threshold'>,
): number | null {
  const { threshold } = hold;
  const page = isMatched(snapshot, threshold) ? (snapshot.status.match_since[threshold] ?? Infinity) : null;
  if (page === Infinity) return page;
  const periods = warningsFor(snapshot, hold).toSorted((a, b) => a.since - b.since);
  const lasting = periods.filter(({ until }) => until === Infinity).map(({ since }) => since);
  const begins = [...lasting, ...(page === null ? [] : [page])];
  if (begins.length === 0) return null;
  return periods.reduceRight(
    (begin, { since, until }) => (until >= begin ? Math.min(begin, since) : begin),
    Math.min(...begins),
  );
}

export function isOnIn(
  { smartpause_settings: settings }: Snapshot,
  { campaign_id: campaign, user_id: user }: Pick<HoldRow, 'campaign_id' | 'user_id'>,
): boolean {
  return settings.some((one) => one.setting === 'ON' && one.campaign_id === campaign && one.user_id === user);
}
