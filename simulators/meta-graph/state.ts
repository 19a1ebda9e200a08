/** What the simulated platform knows. Ids and budgets are texts, as on the wire. */
export interface User {
  id: string;
  name: string;
  email: string | null;
  accounts: string[];
  /** Permissions by name: granted or declined. */
  permissions: Map<string, 'granted' | 'declined'>;
}

export interface Account {
  id: string;
  name: string;
  currency: string;
  timezone_name: string;
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
  lifetime_budget: string | null;
  created_time: number;
  updated_time: number;
  /** Until then the effective status lags behind. */
  inProcessUntil: number;
  /** Until then reads show the status before the last write. */
  stale: { status: string; until: number } | null;
}

export interface Token {
  token: string;
  user: string;
  scopes: string[];
  issuedAt: number;
  expiresAt: number;
  /** Set once the platform no longer takes it. */
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
  actor: string;
  application: string;
  token_user: string | null;
}

export interface ActivityEntry {
  event_type: string;
  event_time: number;
  actor_id: string;
  actor_name: string;
  application_id: string;
  application_name: string;
  object_id: string;
  object_name: string;
  account: string;
  extra_data: string;
}

export interface GraphState {
  app: { id: string; secret: string };
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
  requireAppsecretProof: boolean;
}

export const ADS_MANAGER = { id: '119211728144504', name: 'Power Editor' };

export function now(state: GraphState): number {
  return Date.now() + state.clockOffsetMs;
}

/** '2026-03-16T19:30:00+0000': the platform writes offsets without a colon. */
export function platformTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}+0000`;
}

/** Changes a campaign's status and writes down who did it. */
export function changeCampaign(
  state: GraphState,
  campaign: Campaign,
  change: {
    status: string;
    actor: { id: string; name: string };
    application: { id: string; name: string };
    token_user: string | null;
  },
): void {
  const at = now(state);
  const previous = campaign.status;
  state.writes.push({
    at: new Date().toISOString(),
    campaign: campaign.id,
    account: campaign.account,
    status: change.status,
    previous,
    actor: change.actor.id,
    application: change.application.id,
    token_user: change.token_user,
  });
  campaign.status = change.status;
  campaign.updated_time = at;
  if (previous === change.status) return;
  state.activities.push({
    event_type: 'update_campaign_run_status',
    event_time: at,
    actor_id: change.actor.id,
    actor_name: change.actor.name,
    application_id: change.application.id,
    application_name: change.application.name,
    object_id: campaign.id,
    object_name: campaign.name,
    account: campaign.account,
    extra_data: JSON.stringify({ old_value: previous, new_value: change.status }),
  });
}

/** The status that a reader sees: for a while after a write it may still be the old one. */
export function shownStatus(state: GraphState, campaign: Campaign): string {
  const { stale } = campaign;
  return stale !== null && stale.until > now(state) ? stale.status : campaign.status;
}

export function effectiveStatus(state: GraphState, campaign: Campaign): string {
  return campaign.inProcessUntil > now(state) ? 'IN_PROCESS' : shownStatus(state, campaign);
}
