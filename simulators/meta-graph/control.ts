import { z } from 'zod';
import type { ControlRoute } from '../kit/simulator.ts';
import type { Graph } from './graph.ts';
import { issueToken } from './login.ts';
import { plant, seedBody } from './seed.ts';
import { ADS_MANAGER, changeCampaign } from './state.ts';

const campaignBody = z.object({
  status: z.enum(['ACTIVE', 'PAUSED', 'ARCHIVED', 'DELETED']).optional(),
  name: z.string().optional(),
  daily_budget: z.string().regex(/^\d+$/).optional(),
  actor: z
    .object({ id: z.string(), name: z.string() })
    .default({ id: '100000000000042', name: 'Somebody in Ads Manager' }),
});
const latencyBody = z.object({ ms: z.number().min(0) });
const limitsBody = z.object({ tier: z.enum(['development_access', 'standard_access', 'off']) });
const settingsBody = z.object({ requireAppsecretProof: z.boolean() });
const tokenBody = z.object({
  userId: z.string(),
  scopes: z
    .array(z.string())
    .default(['ads_management', 'ads_read', 'business_management', 'email', 'public_profile']),
  expiresInSeconds: z.number().optional(),
});
const invalidateBody = z.object({ userId: z.string(), subcode: z.number().default(460) });
const clockBody = z.object({ offsetMs: z.number() });

/** The control door of the ad platform. */
export function controls(graph: Graph): ControlRoute[] {
  const { state, limits } = graph;
  return [
    { method: 'GET', path: '/state', handle: () => snapshot(graph) },
    { method: 'GET', path: '/writes', handle: () => ({ writes: state.writes }) },
    {
      method: 'POST',
      path: '/seed',
      body: seedBody,
      handle: ({ body }) => plant(state, seedBody.parse(body)),
    },
    {
      method: 'POST',
      path: '/campaigns/:id',
      body: campaignBody,
      handle: ({ body, id }) => editByHand(graph, id, campaignBody.parse(body)),
    },
    {
      method: 'POST',
      path: '/latency',
      body: latencyBody,
      handle: ({ body }) => void (state.latencyMs = latencyBody.parse(body).ms),
    },
    {
      method: 'POST',
      path: '/limits',
      body: limitsBody,
      handle: ({ body }) => void (limits.tier = limitsBody.parse(body).tier),
    },
    {
      method: 'POST',
      path: '/settings',
      body: settingsBody,
      handle: ({ body }) =>
        void (state.requireAppsecretProof = settingsBody.parse(body).requireAppsecretProof),
    },
    {
      method: 'POST',
      path: '/tokens',
      body: tokenBody,
      handle: ({ body }) => {
        const given = tokenBody.parse(body);
        for (const scope of given.scopes) state.users.get(given.userId)?.permissions.set(scope, 'granted');
        return { access_token: issueToken(state, given).token };
      },
    },
    {
      method: 'POST',
      path: '/tokens/invalidate',
      body: invalidateBody,
      handle: ({ body }) => {
        const { userId, subcode } = invalidateBody.parse(body);
        for (const token of state.tokens.values()) if (token.user === userId) token.invalidSubcode = subcode;
      },
    },
    {
      method: 'POST',
      path: '/clock',
      body: clockBody,
      handle: ({ body }) => void (state.clockOffsetMs = clockBody.parse(body).offsetMs),
    },
  ];
}

/** As if somebody had changed the campaign in Ads Manager. */
function editByHand(graph: Graph, id: string, given: z.infer<typeof campaignBody>): unknown {
  const campaign = graph.state.campaigns.get(id);
  if (campaign === undefined) return { error: `there is no campaign ${id}` };
  if (given.name !== undefined) campaign.name = given.name;
  if (given.daily_budget !== undefined) campaign.daily_budget = given.daily_budget;
  if (given.status !== undefined) {
    const { status, actor } = given;
    changeCampaign(graph.state, campaign, { status, actor, application: ADS_MANAGER, token_user: null });
  }
  return { id, status: campaign.status };
}

function snapshot({ state, limits }: Graph): unknown {
  return {
    tier: limits.tier,
    users: [...state.users.values()].map(({ permissions, ...user }) => ({
      ...user,
      permissions: Object.fromEntries(permissions),
    })),
    accounts: [...state.accounts.values()],
    campaigns: [...state.campaigns.values()],
  };
}
