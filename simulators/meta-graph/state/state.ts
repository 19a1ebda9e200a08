/** State of the simulated platform. Ids and budgets are strings, as on the wire. */
export interface User {
  id: string;
  name: string;
  email: string | null;
  accounts: string[];
  /** Permissions by name. */
  permissions: Map<string, 'granted' | 'declined'>;
}

export interface Account {
  id: string;
  name: string;
  currency: string;
  account_status: number;
  campaigns: string[];
}

export interface Campaign {
  id: string;
  account: string;
  name: string;
  status: string;
  objective: string;
  daily_budget: string | null;
  smart_promotion_type: string | null;
  /** As on the wire, such as '2026-03-16T19:30:00-0400'; null: not shown. */
  start_time: string | null;
  stop_time: string | null;
  /** Until then reads return the status before the last write. */
  stale: { status: string; until: number } | null;
}

export interface Token {
  token: string;
  user: string;
  scopes: string[];
  issuedAt: number;
  expiresAt: number;
  /** Set once the platform rejects the token. */
  invalidSubcode: number | null;
}

export interface Code {
  code: string;
  user: string;
  redirectUri: string;
  scopes: string[];
  challenge: string | null;
  expiresAt: number;
  used: boolean;
}

export interface Write {
  at: string;
  campaign: string;
  account: string;
  status: string;
  previous: string;
  application: string;
  token_user: string | null;
}

export interface ActivityEntry {
  id: string;
  event_type: string;
  event_time: number;
  application_id: string;
  object_id: string;
  account: string;
  extra_data: string;
}

export interface Settings {
  /** Calls without appsecret_proof are rejected. */
  requireAppsecretProof: boolean;
  /** Lifetime of a token issued for a code; null: as long as an exchanged one. */
  codeTokenSeconds: number | null;
  /** Whether a token can be exchanged for a longer one. */
  extendTokens: boolean;
}

export interface GraphState {
  app: { id: string; secret: string; name: string };
  redirectUris: string[] | null;
  users: Map<string, User>;
  accounts: Map<string, Account>;
  campaigns: Map<string, Campaign>;
  tokens: Map<string, Token>;
  codes: Map<string, Code>;
  writes: Write[];
  activities: ActivityEntry[];
  clockOffsetMs: number;
  latencyMs: number;
  settings: Settings;
}

/** The application that made a change, and the user of its token. */
export interface Author {
  application: string;
  token_user: string | null;
}

/** A change outside this app. */
export const ADS_MANAGER: Author = { application: '119211728144504', token_user: null };

export function now(state: GraphState): number {
  return Date.now() + state.clockOffsetMs;
}

/** The error subcode of a token that the platform rejects; null: it is valid. */
export function rejectionOf(state: GraphState, token: Token): number | null {
  return token.invalidSubcode ?? (token.expiresAt <= now(state) ? 463 : null);
}

/** Changes a campaign's status and records the author. */
export function changeStatus(state: GraphState, campaign: Campaign, status: string, author: Author): void {
  const previous = campaign.status;
  state.writes.push({
    at: new Date(now(state)).toISOString(),
    campaign: campaign.id,
    account: campaign.account,
    status,
    previous,
    ...author,
  });
  campaign.status = status;
  campaign.stale = null;
  if (previous === status) return;
  recordActivity(state, campaign, author, { type: 'update_campaign_run_status', from: previous, to: status });
}

export function changeName(state: GraphState, campaign: Campaign, name: string, author: Author): void {
  recordActivity(state, campaign, author, { type: 'update_campaign_name', from: campaign.name, to: name });
  campaign.name = name;
}

function recordActivity(
  state: GraphState,
  { id, account }: Campaign,
  { application }: Author,
  { type, from, to }: { type: string; from: string; to: string },
): void {
  state.activities.push({
    id: String(state.activities.length),
    event_type: type,
    event_time: now(state),
    application_id: application,
    object_id: id,
    account,
    extra_data: JSON.stringify({ old_value: from, new_value: to }),
  });
}

/** The status that reads return: a stale_read fault delays a change. */
export function shownStatus(state: GraphState, campaign: Campaign): string {
  const { stale } = campaign;
  return stale !== null && stale.until > now(state) ? stale.status : campaign.status;
}
