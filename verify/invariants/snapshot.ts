import type { ResumeSettings } from '../../src/core/settings.ts';
import type { Directive, KnownLevel, Level, Threshold } from '../../src/core/smartpause/level.ts';

/** Reads rows beside the product: PGlite in memory or a connection to PostgreSQL. */
export type Query = <R>(sql: string) => Promise<R[]>;

export interface HoldRow {
  id: number;
  user_id: number;
  campaign_id: string;
  state: 'pausing' | 'paused' | 'resuming' | 'cancelling' | 'ended';
  /** The user's when it was decided. */
  threshold: Threshold;
  outcome: 'resumed' | 'released' | 'not_needed' | null;
  release_reason: string | null;
  paused_at: string | null;
  /** The end of a live test; null: a pause for an outage. */
  test_until: string | null;
}

/** The last write of a campaign. */
export interface WriteRow {
  campaign_id: string;
  origin: 'hold' | 'test' | 'manual' | 'restore';
  attempt: number;
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
}

/** The part of the database that the rules refer to. */
export interface Snapshot {
  holds: HoldRow[];
  campaign_writes: WriteRow[];
  users: UserRow[];
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
  'holds', (select coalesce(json_agg(row_to_json(h) order by id), '[]') from holds h),
  'campaign_writes', (select coalesce(json_agg(row_to_json(w)), '[]') from campaign_writes w),
  'users', (select coalesce(json_agg(row_to_json(u)), '[]') from users u),
  'smartpause_settings', (select coalesce(json_agg(row_to_json(s)), '[]') from smartpause_settings s),
  'status', (select row_to_json(s) from platform_status s))::text as everything`;

export async function takeSnapshot(query: Query): Promise<Snapshot> {
  const [row] = await query<{ everything: string }>(QUERY);
  return JSON.parse(row?.everything ?? '{}') as Snapshot;
}

export function isOnIn(
  { smartpause_settings: settings }: Snapshot,
  { campaign_id: campaign, user_id: user }: Pick<HoldRow, 'campaign_id' | 'user_id'>,
): boolean {
  return settings.some((one) => one.setting === 'ON' && one.campaign_id === campaign && one.user_id === user);
}
