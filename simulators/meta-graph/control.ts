import { z } from 'zod';
import type { ControlRoute } from '../kit/simulator.ts';
import { ask, clockOffset, order, required } from '../kit/simulator.ts';
import type { Graph } from './graph.ts';
import { TIERS } from './limits.ts';
import { callBack } from './login/callbacks.ts';
import { issueToken } from './login/tokens.ts';
import { plant, seedBody } from './state/seed.ts';
import type { GraphState } from './state/state.ts';
import { ADS_MANAGER, changeName, changeStatus } from './state/state.ts';
import { removeApp } from './state/users.ts';
import { STATUSES } from './writes.ts';

const campaignBody = z.strictObject({
  status: z.enum(STATUSES).optional(),
  name: z.string().min(1).optional(),
  start_time: z.string().nullable().optional(),
  stop_time: z.string().nullable().optional(),
});
const settingsBody = z.strictObject({
  requireAppsecretProof: z.boolean().optional(),
  codeTokenSeconds: z.number().int().positive().nullable().optional(),
  extendTokens: z.boolean().optional(),
});
const tokenBody = z.strictObject({
  userId: z.string(),
  scopes: z
    .array(z.string())
    .default(['ads_management', 'ads_read', 'business_management', 'email', 'public_profile']),
});
const invalidateBody = z.strictObject({ userId: z.string(), subcode: z.number().int().default(460) });
const callbackBody = z.strictObject({
  userId: z.string(),
  url: z.url(),
  /** Also remove the app, as the user would have. */
  removeApp: z.boolean().default(false),
});

/** The control API of the ad platform. */
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
    order('/campaigns/:id', campaignBody, (body, id) => editExternally(state, id, body)),
    order('/latency', z.strictObject({ ms: z.number().min(0) }), ({ ms }) => void (state.latencyMs = ms)),
    order('/limits', z.strictObject({ tier: z.enum(TIERS) }), ({ tier }) => limits.setTier(tier)),
    order('/settings', settingsBody, (given) => Object.assign(state.settings, given)),
    order('/tokens', tokenBody, (body) => {
      const { permissions } = required(state.users, 'user', body.userId);
      for (const scope of body.scopes) permissions.set(scope, 'granted');
      return { access_token: issueToken(state, body).token };
    }),
    order('/tokens/invalidate', invalidateBody, ({ userId, subcode }) => {
      required(state.users, 'user', userId);
      for (const token of state.tokens.values()) if (token.user === userId) token.invalidSubcode = subcode;
    }),
    order('/clock', z.strictObject({ offsetMs: clockOffset }), ({ offsetMs }) => {
      state.clockOffsetMs = offsetMs;
    }),
    order('/callbacks', callbackBody, (body) => {
      const user = required(state.users, 'user', body.userId);
      if (body.removeApp) removeApp(state, user);
      return callBack(state, user.id, body.url);
    }),
  ];
}

/** An external change, as in Ads Manager; unlike there, from any status to any other. */
function editExternally(state: GraphState, id: string, body: z.infer<typeof campaignBody>) {
  const { name, status, ...times } = body;
  const campaign = Object.assign(required(state.campaigns, 'campaign', id), times);
  if (name !== undefined) changeName(state, campaign, name, ADS_MANAGER);
  if (status !== undefined) changeStatus(state, campaign, status, ADS_MANAGER);
  return { id, status: campaign.status, name: campaign.name };
}

function snapshot({ state }: Graph): unknown {
  const tokens = Map.groupBy(state.tokens.values(), ({ user }) => user);
  return {
    users: [...state.users.values()].map(({ permissions, ...user }) => ({
      ...user,
      permissions: Object.fromEntries(permissions),
      tokens: tokens.get(user.id)?.length ?? 0,
    })),
    accounts: [...state.accounts.values()],
    campaigns: [...state.campaigns.values()],
  };
}
