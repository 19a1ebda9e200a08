/** What the simulated platform knows. Ids and budgets are texts, as on the wire. */
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
  smart_promotion_type: string | null;
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
  translated_event_type: string;
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

export interface Settings {
  /** Calls without appsecret_proof are refused. */
  requireAppsecretProof: boolean;
  /** Pages of lists are shorter than asked for although more follow. */
  shortPages: boolean;
  codeTokenSeconds: number | null;
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
  /** Set while the clock stands still. */
  frozenAt: number | null;
  latencyMs: number;
  settings: Settings;
}

/** Who is said to have made a change, and by what program. */
export interface Author {
  actor: { id: string; name: string };
  application: { id: string; name: string };
  token_user: string | null;
}

export const ADS_MANAGER = { id: '119211728144504', name: 'Power Editor' };

export function now(state: GraphState): number {
  return (state.frozenAt ?? Date.now()) + state.clockOffsetMs;
}

/** Changes a campaign's status and writes down who did it. */
export function changeStatus(state: GraphState, campaign: Campaign, status: string, author: Author): void {
  const previous = campaign.status;
  state.writes.push({
    at: new Date().toISOString(),
    campaign: campaign.id,
    account: campaign.account,
    status,
    previous,
    actor: author.actor.id,
    application: author.application.id,
    token_user: author.token_user,
  });
  campaign.status = status;
  campaign.updated_time = now(state);
  campaign.stale = null;
  if (previous === status) return;
  recordActivity(state, campaign, author, {
    type: 'update_campaign_run_status',
    title: 'Campaign status updated',
    from: previous,
    to: status,
  });
}

export function changeName(state: GraphState, campaign: Campaign, name: string, author: Author): void {
  const change = {
    type: 'update_campaign_name',
    title: 'Campaign name updated',
    from: campaign.name,
    to: name,
  };
  campaign.name = name;
  campaign.updated_time = now(state);
  recordActivity(state, campaign, author, change);
}

/** Budget edits do not touch updated_time, on the real platform neither. */
export function changeDailyBudget(
  state: GraphState,
  campaign: Campaign,
  budget: string,
  author: Author,
): void {
  const from = campaign.daily_budget;
  campaign.daily_budget = budget;
  campaign.lifetime_budget = null;
  recordActivity(state, campaign, author, {
    type: 'update_campaign_budget',
    title: 'Campaign budget updated',
    from,
    to: budget,
  });
}

function recordActivity(
  state: GraphState,
  campaign: Campaign,
  { actor, application }: Author,
  change: { type: string; title: string; from: string | null; to: string },
): void {
  state.activities.push({
    event_type: change.type,
    translated_event_type: change.title,
    event_time: now(state),
    actor_id: actor.id,
    actor_name: actor.name,
    application_id: application.id,
    application_name: application.name,
    object_id: campaign.id,
    object_name: campaign.name,
    account: campaign.account,
    extra_data: JSON.stringify({ old_value: change.from, new_value: change.to }),
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
