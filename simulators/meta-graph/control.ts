import { z } from 'zod';
import type { Button, ControlPage } from '../kit/page.ts';
import type { ControlRoute } from '../kit/simulator.ts';
import { ask, clockBody, order, required } from '../kit/simulator.ts';
import type { Graph } from './graph.ts';
import { TIERS } from './limits.ts';
import { SCOPES, callBack } from './login.ts';
import { STATUSES, plant, seedBody } from './seed.ts';
import { ADS_MANAGER, changeStatus, issueToken, now, removeApp } from './state.ts';
import { plantTool, runTools, toolBody } from './tools.ts';

const campaignBody = z.strictObject({
  status: z.enum(STATUSES).optional(),
  name: z.string().min(1).optional(),
  start_time: z.string().nullable().optional(),
  stop_time: z.string().nullable().optional(),
});
const accountBody = z.strictObject({
  account_status: z.number().int().optional(),
  disable_reason: z.number().int().optional(),
  timezone_name: z.string().optional(),
  business: z.strictObject({ id: z.string(), name: z.string() }).nullable().optional(),
});
const settingsBody = z.strictObject({
  codeTokenSeconds: z.number().int().positive().nullable(),
  extendTokens: z.boolean(),
});
const appBody = z.strictObject({
  /** Code 4 for every call, for this long. */
  limitedMs: z.number().min(0).optional(),
  /** Percent in `x-app-usage`; null: without that header. */
  usage: z.number().min(0).nullable().optional(),
  blocked: z.boolean().optional(),
});
const insightsBody = z.strictObject({
  reportMs: z.number().min(0).optional(),
  largestReport: z.number().int().positive().optional(),
});
const disturbanceBody = z.strictObject({
  from: z.number(),
  until: z.number(),
  spend: z.number().min(0),
  cpm: z.number().positive(),
});
const pagesBody = z.strictObject({ largest: z.number().int().positive().nullable() });
const invalidateBody = z.strictObject({ userId: z.string(), subcode: z.number().int().default(460) });
const callbackBody = z.strictObject({
  userId: z.string(),
  url: z.url(),
  /** Also remove the app, as the user would have. */
  removeApp: z.boolean().default(false),
});

/** The control API of the ad platform. */
export function controls({ state, limits }: Graph): ControlRoute[] {
  return [
    ask('GET', '/state', () => ({
      users: [...state.users.values()].map(({ permissions, ...user }) => ({
        ...user,
        permissions: Object.fromEntries(permissions),
      })),
      accounts: [...state.accounts.values()],
      campaigns: [...state.campaigns.values()],
    })),
    ask('GET', '/writes', () => ({ writes: state.writes })),
    order('/seed', seedBody, (body) => plant(state, body)),
    // An external change, as in Ads Manager; unlike there, from any status to any other.
    order('/campaigns/:id', campaignBody, ({ status, ...fields }, id) => {
      const campaign = Object.assign(required(state.campaigns, 'campaign', id), fields);
      if (status !== undefined) changeStatus(state, campaign, status, ADS_MANAGER);
    }),
    // Another tool: what it has done before is in the activity log, and it goes on as the clock does.
    order('/campaigns/:id/tool', toolBody, (tool, id) =>
      plantTool(state, required(state.campaigns, 'campaign', id).id, tool),
    ),
    order('/accounts/:id', accountBody, (facts, id) => {
      Object.assign(required(state.accounts, 'account', id), facts);
    }),
    order('/latency', z.strictObject({ ms: z.number().min(0) }), ({ ms }) => void (state.latencyMs = ms)),
    order('/limits', z.strictObject({ tier: z.enum(TIERS) }), ({ tier }) => limits.setTier(tier)),
    order('/app', appBody, ({ limitedMs, ...given }) => {
      Object.assign(limits.app, given);
      if (limitedMs !== undefined) limits.app.limitedUntil = now(state) + limitedMs;
    }),
    order('/settings', settingsBody, (given) => void Object.assign(state.settings, given)),
    order('/disturbances', disturbanceBody, (given) => void state.disturbances.push(given)),
    order('/insights', insightsBody, (given) => void Object.assign(state, given)),
    order('/pages', pagesBody, ({ largest }) => void (state.largestPage = largest)),
    order('/tokens', z.strictObject({ userId: z.string() }), ({ userId }) => {
      const { permissions } = required(state.users, 'user', userId);
      for (const scope of SCOPES) permissions.set(scope, 'granted');
      return { access_token: issueToken(state, { userId, scopes: SCOPES }).token };
    }),
    order('/app-tokens/invalidate', z.strictObject({}), () => state.appTokens.clear()),
    order('/login-config', z.strictObject({ id: z.string().nullable() }), ({ id }) => {
      state.loginConfigId = id;
    }),
    order('/tokens/invalidate', invalidateBody, ({ userId, subcode }) => {
      for (const token of state.tokens.values()) if (token.user === userId) token.invalidSubcode = subcode;
    }),
    order('/clock', clockBody, ({ offsetMs }) => {
      state.clockOffsetMs = offsetMs;
      runTools(state);
    }),
    order('/callbacks', callbackBody, (body) => {
      const user = required(state.users, 'user', body.userId);
      if (body.removeApp) removeApp(state, user);
      return callBack(state, user.id, body.url);
    }),
  ];
}

/** "Ads Manager", the users who can log in, and what can go wrong. */
export function adsManager({ state }: Graph): ControlPage {
  const sections = [...state.accounts.values()].map(({ name: heading, campaigns }) => ({
    heading: `Ads Manager: ${heading}`,
    rows: campaigns.flatMap((id) => {
      const { name, status } = required(state.campaigns, 'campaign', id);
      const wanted = status === 'ACTIVE' ? 'PAUSED' : 'ACTIVE';
      const label = `${wanted === 'ACTIVE' ? 'Activate' : 'Pause'} ${name}`;
      const button: Button = [label, `/_sim/campaigns/${id}`, { status: wanted }];
      return { texts: [name, status], buttons: [button] };
    }),
  }));
  const users = [...state.users.values()].map(({ id, name }) => ({
    texts: [name, id],
    buttons: [[`End the access of ${name}`, '/_sim/tokens/invalidate', { userId: id }] satisfies Button],
  }));
  return {
    title: 'Meta’s ad platform',
    note: 'A change here is one that someone makes in Ads Manager, outside of SmartPause.',
    sections: [{ heading: 'Users and their Meta user ids', rows: users }, ...sections],
    faults: [
      ['Answer one call with an error', { kind: 'error', code: 2 }],
      ['Answer every call with an error', { kind: 'error', code: 2, times: 0 }],
      ['Limit the app', { kind: 'error', code: 4, times: 0 }],
      ['Block the app', { kind: 'error', code: 200, message: 'API access blocked.', times: 0 }],
      ['Pause, but answer with an error, once', { kind: 'applied_but_error', code: 1, method: 'POST' }],
    ],
  };
}
