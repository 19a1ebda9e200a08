import { randomBytes } from 'node:crypto';

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
  /** Null: an external change. */
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

export interface GraphState {
  app: { id: string; secret: string };
  /** The allowed redirect addresses of the dialog; null: any on this machine. */
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
  settings: {
    /** Calls without appsecret_proof are rejected. */
    requireAppsecretProof: boolean;
    /** Lifetime of a token issued for a code; null: as long as an exchanged one. */
    codeTokenSeconds: number | null;
    /** Whether a token can be exchanged for a longer one. */
    extendTokens: boolean;
  };
}

export function freshState(app: GraphState['app'], redirectUris: string[] | null): GraphState {
  return {
    app,
    redirectUris,
    users: new Map(),
    accounts: new Map(),
    campaigns: new Map(),
    tokens: new Map(),
    codes: new Map(),
    writes: [],
    activities: [],
    clockOffsetMs: 0,
    latencyMs: 0,
    settings: { requireAppsecretProof: false, codeTokenSeconds: null, extendTokens: true },
  };
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

const TOKEN_VALID_S = 5_183_944;

export function issueToken(
  state: GraphState,
  given: { userId: string; scopes: string[]; expiresInSeconds?: number | null },
): Token {
  const issuedAt = now(state);
  const token: Token = {
    token: `EAAB${randomBytes(48).toString('base64url')}`,
    user: given.userId,
    scopes: given.scopes,
    issuedAt,
    expiresAt: issuedAt + (given.expiresInSeconds ?? TOKEN_VALID_S) * 1000,
    invalidSubcode: null,
  };
  state.tokens.set(token.token, token);
  return token;
}

/** The error subcode of a token that the platform rejects; null: it is valid. */
export function rejectionOf(state: GraphState, token: Token): number | null {
  return token.invalidSubcode ?? (token.expiresAt <= now(state) ? 463 : null);
}

export function removeApp(state: GraphState, user: User): void {
  user.permissions.clear();
  for (const token of state.tokens.values()) if (token.user === user.id) token.invalidSubcode = 458;
}

/** Changes a campaign's status and records the author. */
export function changeStatus(state: GraphState, campaign: Campaign, status: string, author: Author): void {
  const { id, account, status: previous } = campaign;
  state.writes.push({
    at: new Date(now(state)).toISOString(),
    campaign: id,
    account,
    status,
    previous,
    ...author,
  });
  campaign.status = status;
  campaign.stale = null;
  if (previous === status) return;
  state.activities.push({
    id: String(state.activities.length),
    event_type: 'update_campaign_run_status',
    event_time: now(state),
    application_id: author.application,
    object_id: id,
    account,
    extra_data: JSON.stringify({ old_value: previous, new_value: status }),
  });
}

/** The status that reads return: a stale_read fault delays a change. */
export function shownStatus(state: GraphState, { stale, status }: Campaign): string {
  return stale !== null && stale.until > now(state) ? stale.status : status;
}
