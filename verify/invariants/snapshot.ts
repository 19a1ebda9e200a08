/** Reads rows beside the product: PGlite in memory or a connection to PostgreSQL. */
export type Query = <R>(sql: string) => Promise<R[]>;

export interface HoldRow {
  id: number;
  user_id: number;
  campaign_id: string;
  state: 'pausing' | 'paused' | 'resuming' | 'cancelling' | 'ended';
  /** The user's when it was decided. */
  threshold: UserRow['threshold'];
  outcome: 'resumed' | 'released' | 'not_needed' | null;
  release_reason: string | null;
  decided_at: string;
  surprise_since: string | null;
  paused_at: string | null;
  ended_at: string | null;
  /** The end of a live test; null: a pause for an outage. */
  test_until: string | null;
}

/** The last write of a campaign. */
export interface WriteRow {
  campaign_id: string;
  origin: 'hold' | 'test' | 'manual' | 'restore';
  target: 'ACTIVE' | 'PAUSED';
  attempt: number;
  /** A copy without an answer may arrive until then. */
  unanswered_until: string | null;
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
  override_level: string | null;
  effective_level: string;
  known_level: string;
  checked_at: string | null;
}

/** The part of the database that the rules refer to. */
export interface Snapshot {
  holds: HoldRow[];
  campaign_writes: WriteRow[];
  users: UserRow[];
  smartpause_settings: { user_id: number; campaign_id: string; setting: string }[];
  status: StatusRow;
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

/** The numbers of the levels, as in the specification. */
const SEVERITY: Readonly<Record<string, number>> = {
  UP: 0,
  LOW_DISRUPTION: 1,
  MEDIUM_DISRUPTION: 2,
  HIGH_DISRUPTION: 3,
};
const NEEDED = { LOW: 1, MEDIUM: 2, HIGH: 3 };

export function meets(level: string, threshold: UserRow['threshold']): boolean {
  return (SEVERITY[level] ?? 0) >= NEEDED[threshold];
}

export function worst(levels: readonly string[]): string {
  return levels.toSorted((a, b) => (SEVERITY[b] ?? 9) - (SEVERITY[a] ?? 9))[0] ?? '';
}

export function isOnIn(
  { smartpause_settings }: Snapshot,
  hold: Pick<HoldRow, 'campaign_id' | 'user_id'>,
): boolean {
  return smartpause_settings.some(
    (sp) => sp.setting === 'ON' && sp.campaign_id === hold.campaign_id && sp.user_id === hold.user_id,
  );
}
