/** Reads rows beside the product: PGlite in memory or a connection to PostgreSQL. */
export type Query = <R>(sql: string) => Promise<R[]>;

export interface HoldRow {
  id: number;
  user_id: number;
  account_id: string;
  campaign_id: string;
  state: 'pausing' | 'paused' | 'resuming' | 'resumed' | 'ended';
  outcome: 'resumed' | 'released' | null;
  reason: string | null;
  attempt: number;
  /** Why the hold ends as soon as no write of ours can arrive. */
  release: string | null;
  created_at: string;
  /** The last copy of the write without a response. */
  sent_at: string | null;
  suspected_since: string | null;
  paused_at: string | null;
  resumed_at: string | null;
  ended_at: string | null;
  /** The end of a live test; null: a pause for an outage. */
  test_until: string | null;
  began_as_test: boolean;
}

export interface UserRow {
  id: number;
  platform_user_id: string;
  threshold: 'LOW' | 'MEDIUM' | 'HIGH';
  resume_settings: { mode: string; delay?: { value: number; unit: string } };
  leaving: string | null;
  initialized_at: string | null;
  email: string | null;
}

export interface StatusRow {
  true_level: string;
  directive: string | null;
  effective: string;
  known: string;
  checked_at: string | null;
}

/** The part of the database that the rules refer to. */
export interface Snapshot {
  holds: HoldRow[];
  users: UserRow[];
  smart_pause: { user_id: number; campaign_id: string; setting: string }[];
  status: StatusRow;
}

const QUERY = `select json_build_object(
  'holds', (select coalesce(json_agg(row_to_json(h) order by id), '[]') from hold h),
  'users', (select coalesce(json_agg(json_build_object('id', id, 'platform_user_id', platform_user_id,
    'threshold', threshold, 'resume_settings', resume_settings, 'leaving', leaving, 'initialized_at', initialized_at, 'email', email)), '[]') from app_user),
  'smart_pause', (select coalesce(json_agg(json_build_object('user_id', user_id, 'campaign_id', campaign_id,
    'setting', setting)), '[]') from smart_pause),
  'status', (select row_to_json(s) from platform_status s))::text as everything`;

export async function takeSnapshot(query: Query): Promise<Snapshot> {
  const [row] = await query<{ everything: string }>(QUERY);
  return JSON.parse(row?.everything ?? '{}') as Snapshot;
}
