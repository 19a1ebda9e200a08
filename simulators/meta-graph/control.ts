import { z } from 'zod';
import type { ControlRoute } from '../kit/simulator.ts';
import { ControlError, ask, clockOffset, order } from '../kit/simulator.ts';
import type { Graph } from './graph.ts';
import { TIERS } from './limits.ts';
import { sendCallback, signedRequest } from './login/callbacks.ts';
import { issueToken } from './login/tokens.ts';
import { removeApp } from './state/people.ts';
import { plant, seedBody } from './state/seed.ts';
import type { Campaign, GraphState, User } from './state/state.ts';
import { ADS_MANAGER, changeDailyBudget, changeName, changeStatus } from './state/state.ts';

const campaignBody = z.strictObject({
  status: z.enum(['ACTIVE', 'PAUSED', 'ARCHIVED', 'DELETED']).optional(),
  name: z.string().min(1).optional(),
  daily_budget: z.string().regex(/^\d+$/, 'minor units as a text of digits').optional(),
  actor: z
    .strictObject({ id: z.string(), name: z.string() })
    .default({ id: '100000000000042', name: 'Somebody in Ads Manager' }),
});
const settingsBody = z.strictObject({
  requireAppsecretProof: z.boolean().optional(),
  shortPages: z.boolean().optional(),
  /** How long a token lives that was given for a code; null: as long as an exchanged one. */
  codeTokenSeconds: z.number().int().positive().nullable().optional(),
  /** Whether a token can be exchanged for a longer one. */
  extendTokens: z.boolean().optional(),
});
const tokenBody = z.strictObject({
  userId: z.string(),
  scopes: z
    .array(z.string())
    .default(['ads_management', 'ads_read', 'business_management', 'email', 'public_profile']),
  expiresInSeconds: z.number().optional(),
});
const invalidateBody = z.strictObject({ userId: z.string(), subcode: z.number().int().default(460) });
const clockBody = z.strictObject({ offsetMs: clockOffset, frozen: z.boolean().optional() });
const callbackBody = z.strictObject({
  userId: z.string(),
  /** Where to send it; without it the signed request is only made. */
  url: z.url().optional(),
  /** Also remove the app, as the person would have. */
  removeApp: z.boolean().default(false),
});

/** The control door of the ad platform. */
export function controls(graph: Graph): ControlRoute[] {
  const { state, limits } = graph;
  return [
    ask('GET', '/state', () => snapshot(graph)),
    ask('GET', '/writes', () => ({ writes: state.writes })),
    ask('GET', '/writes/tally', () => ({
      writes: state.writes.length,
      lastAt: state.writes.at(-1)?.at ?? null,
    })),
    order('/seed', seedBody, (body) => plant(state, body)),
    order('/campaigns/:id', campaignBody, (body, id) => editByHand(state, id, body)),
    order('/latency', z.strictObject({ ms: z.number().min(0) }), ({ ms }) => void (state.latencyMs = ms)),
    ask('GET', '/limits', () => ({ tier: limits.tier, refused: limits.refused })),
    order('/limits', z.strictObject({ tier: z.enum(TIERS) }), ({ tier }) => limits.setTier(tier)),
    order('/settings', settingsBody, (given) => {
      const known = Object.entries(given).filter(([, value]) => value !== undefined);
      return Object.assign(state.settings, Object.fromEntries(known));
    }),
    order('/tokens', tokenBody, (body) => grantToken(state, body)),
    order('/tokens/invalidate', invalidateBody, ({ userId, subcode }) => {
      const { id } = requireUser(state, userId);
      for (const token of state.tokens.values()) if (token.user === id) token.invalidSubcode = subcode;
    }),
    order('/clock', clockBody, ({ offsetMs, frozen }) => {
      state.clockOffsetMs = offsetMs;
      if (frozen !== undefined) state.frozenAt = frozen ? Date.now() : null;
    }),
    order('/callbacks', callbackBody, (body) => callBack(state, body)),
  ];
}

function requireUser(state: GraphState, id: string): User {
  const user = state.users.get(id);
  if (user === undefined) throw new ControlError(`there is no user ${id}`, 404);
  return user;
}

function requireCampaign(state: GraphState, id: string): Campaign {
  const campaign = state.campaigns.get(id);
  if (campaign === undefined) throw new ControlError(`there is no campaign ${id}`, 404);
  return campaign;
}

function grantToken(state: GraphState, given: z.infer<typeof tokenBody>): { access_token: string } {
  const user = requireUser(state, given.userId);
  for (const scope of given.scopes) user.permissions.set(scope, 'granted');
  return { access_token: issueToken(state, given).token };
}

/** As if somebody had changed the campaign in Ads Manager; unlike there, from any status to any other. */
function editByHand(state: GraphState, id: string, given: z.infer<typeof campaignBody>): unknown {
  const campaign = requireCampaign(state, id);
  const author = { actor: given.actor, application: ADS_MANAGER, token_user: null };
  if (given.name !== undefined) changeName(state, campaign, given.name, author);
  if (given.daily_budget !== undefined) changeDailyBudget(state, campaign, given.daily_budget, author);
  if (given.status !== undefined) changeStatus(state, campaign, given.status, author);
  return { id, status: campaign.status, name: campaign.name, daily_budget: campaign.daily_budget };
}

async function callBack(state: GraphState, given: z.infer<typeof callbackBody>): Promise<unknown> {
  const user = requireUser(state, given.userId);
  if (given.removeApp) removeApp(state, user);
  const signed_request = signedRequest(state, user.id);
  if (given.url === undefined) return { signed_request };
  try {
    return { signed_request, answer: await sendCallback(given.url, signed_request) };
  } catch (error) {
    throw new ControlError(
      `${given.url} did not answer: ${error instanceof Error ? error.message : 'unknown'}`,
    );
  }
}

function snapshot({ state, limits }: Graph): unknown {
  const tokens = Map.groupBy(state.tokens.values(), ({ user }) => user);
  return {
    tier: limits.tier,
    settings: state.settings,
    latencyMs: state.latencyMs,
    clockOffsetMs: state.clockOffsetMs,
    users: [...state.users.values()].map(({ permissions, ...user }) => ({
      ...user,
      permissions: Object.fromEntries(permissions),
      tokens: tokens.get(user.id)?.length ?? 0,
    })),
    accounts: [...state.accounts.values()],
    campaigns: [...state.campaigns.values()],
  };
}
