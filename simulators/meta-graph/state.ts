import { randomBytes } from 'node:crypto';

/** State of the simulated platform. Ids and budgets are strings, as on the wire. */
export interface User {
  id: string;
  name: string;
  email: string | null;
  accounts: string[];
  /** The user's tasks in each account. */
  tasks: Map<string, string[]>;
  /** Permissions by name. */
  permissions: Map<string, 'granted' | 'declined'>;
}

export interface Account {
  id: string;
  name: string;
  currency: string;
  account_status: number;
  disable_reason: number;
  timezone_name: string;
  business: { id: string; name: string } | null;
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

interface ActivityEntry {
  id: string;
  at: number;
  event_type: string;
  application_id: string;
  application_name: string;
  actor_name: string;
  object_id: string;
  account: string;
  extra_data: string;
}

/** In this time Meta spends so many times as usual, and 1,000 impressions cost so many times as usual. */
export interface Disturbance {
  from: number;
  until: number;
  spend: number;
  cpm: number;
}

/** What a report of the ads insights is about. */
export interface AskedReport {
  level: 'campaign' | 'account';
  fields: readonly string[];
  time_range: { since: string; until: string };
  /** Empty: sums of the whole time. */
  breakdowns: readonly string[];
  filtering: readonly { value: string | readonly string[] }[];
}

/** An asynchronous report of the ads insights. */
export interface Report {
  id: string;
  account: string;
  asked: AskedReport;
  readyAt: number;
  /** Its status then. */
  end: 'Job Completed' | 'Job Failed' | 'Job Skipped';
}

/** Another tool that pauses and activates a campaign, at times such as '23:00' or 'Fri 18:00' of its account. */
export interface Tool {
  campaign: string;
  off: string[];
  on: string[];
  /** Until then it has acted. */
  until: number;
}

/** @param redirectUris the allowed redirect addresses of the dialog; null: any on this machine */
export function freshState(app: { id: string; secret: string }, redirectUris: string[] | null) {
  return {
    app,
    /** The app's own tokens. */
    appTokens: new Set([`${app.id}|${app.secret}`]),
    /** The app is of the kind Login for Business, and has this configuration; null: it is not. */
    loginConfigId: null as string | null,
    redirectUris,
    users: new Map<string, User>(),
    accounts: new Map<string, Account>(),
    campaigns: new Map<string, Campaign>(),
    tokens: new Map<string, Token>(),
    codes: new Map<string, Code>(),
    writes: [] as Write[],
    activities: [] as ActivityEntry[],
    tools: [] as Tool[],
    reports: new Map<string, Report>(),
    /** How long Meta takes to make a report. */
    reportMs: 0,
    /** Of a report: campaigns × days × hours; a larger one is refused. */
    largestReport: 50_000,
    disturbances: [] as Disturbance[],
    clockOffsetMs: 0,
    latencyMs: 0,
    settings: {
      /** Calls without appsecret_proof are rejected. */
      requireAppsecretProof: false,
      /** Lifetime of a token issued for a code; null: as long as an exchanged one. */
      codeTokenSeconds: null as number | null,
      /** Whether a token can be exchanged for a longer one. */
      extendTokens: true,
    },
    /** A larger page of a list fails, as for a large account; null: none does. */
    largestPage: null as number | null,
  };
}
export type GraphState = ReturnType<typeof freshState>;

/** The application that made a change, and the user of its token. */
type Author = Pick<Write, 'application' | 'token_user'>;

/** A change outside this app. */
export const ADS_MANAGER: Author = { application: '119211728144504', token_user: null };
export const OTHER_TOOL: Author = { application: '2600000000000017', token_user: null };
const NAMES: Record<string, { app: string; actor: string }> = {
  [ADS_MANAGER.application]: { app: 'Power Editor', actor: 'Robin Vale' },
  [OTHER_TOOL.application]: { app: 'Night Shift', actor: 'Night Shift' },
};

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
export function changeStatus(
  state: GraphState,
  campaign: Campaign,
  status: string,
  author: Author,
  at = now(state),
): void {
  const { id, account, status: previous } = campaign;
  state.writes.push({
    at: new Date(at).toISOString(),
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
    at,
    event_type: 'update_campaign_run_status',
    application_id: author.application,
    application_name: NAMES[author.application]?.app ?? 'SmartPause',
    actor_name: NAMES[author.application]?.actor ?? state.users.get(author.token_user ?? '')?.name ?? '',
    object_id: id,
    account,
    extra_data: JSON.stringify({ old_value: previous, new_value: status }),
  });
}

/** The status that reads return: a stale_read fault delays a change, and a replica may show a former moment. */
export function shownStatus(
  state: GraphState,
  { id, stale, status }: Campaign,
  asOf: number | null = null,
): string {
  if (asOf !== null) {
    const next = state.activities.find((one) => one.object_id === id && one.at > asOf);
    if (next !== undefined) return (JSON.parse(next.extra_data) as { old_value: string }).old_value;
  }
  return stale !== null && stale.until > now(state) ? stale.status : status;
}
