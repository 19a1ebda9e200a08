import type { Api, ApiName } from '#contract/api.ts';
import type { BodyOf, ParamsOf, QueryOf, ResultOf } from '#contract/endpoint.ts';
import { ApiError } from '#contract/errors.ts';
import { CAPABILITIES } from '#contract/shapes.ts';
import { ADMIN_ACTIONS } from '#contract/admin-overview.ts';
import type { User } from '../db/users/users.ts';
import { readStatistics } from '../db/reports/statistics.ts';
import {
  getAdminStatus,
  getOverrideReach,
  getRecentActivities,
  getSystemHealth,
  takeAdminAction,
} from '../services/admin/admin.ts';
import { getEarlyWarning, letWarningsAct } from '../services/admin/early-warning.ts';
import { getAdAccounts } from '../services/campaigns/ad-accounts.ts';
import { startCheckout } from '../services/billing/checkout.ts';
import { getSubscription, openPortal, refreshSubscription } from '../services/billing/subscription.ts';
import { changeCampaigns, getCampaignChange } from '../services/campaigns/campaign-changes.ts';
import { getCampaigns } from '../services/campaigns/campaign-lists.ts';
import { pauseCampaign, resumeCampaign } from '../services/campaigns/manual-actions.ts';
import { readHeldCampaign } from '../services/campaigns/read-held.ts';
import { retryCampaign } from '../services/campaigns/retry.ts';
import { setSmartPause } from '../services/campaigns/smartpause-toggle.ts';
import { getDryRun } from '../services/campaigns/dry-run.ts';
import { getPauseAllState, pauseAll, resumeAll } from '../services/campaigns/pause-all.ts';
import { getLiveTest, startLiveTest, stopLiveTest } from '../services/campaigns/live-test.ts';
import type { ServiceDeps } from '../services/deps.ts';
import * as destinations from '../services/destinations/destinations.ts';
import { getActivities } from '../services/history/activities.ts';
import { getCampaignHistory } from '../services/history/campaign-history.ts';
import { linkEvidence } from '../services/history/evidence.ts';
import { getOutage, getOutages } from '../services/history/outages.ts';
import { getHourlySpend, getSpendMonths } from '../services/history/spend.ts';
import { cancelEmailChange, confirmLink, readLink, sendLink } from '../services/users/email-address.ts';
import { leave } from '../services/users/leave.ts';
import { getDeletionStatus } from '../services/users/platform-callbacks.ts';
import { endOtherSessions } from '../services/users/end-sessions.ts';
import { replaySettings } from '../services/settings/replay-settings.ts';
import { changeSettings, initialize } from '../services/settings/change-settings.ts';
import { getPlatformStatus } from '../services/status/platform-status.ts';
import { getUserStatus } from '../services/status/user-status.ts';
import { getAccess } from '../services/users/token-checks.ts';

/** One authenticated call with its parsed input. */
export type Call<Name extends ApiName> = {
  deps: ServiceDeps;
  params: ParamsOf<Api[Name]>;
  query: QueryOf<Api[Name]>;
  body: BodyOf<Api[Name]>;
} & (Api[Name] extends { access: 'public' } ? unknown : { user: User; sessionId: string });

/** A handler for every entry of the contract. */
export type Handlers = {
  [Name in ApiName]: (call: Call<Name>) => Promise<ResultOf<Api[Name]>>;
};

export const handlers: Handlers = {
  me: async ({ deps, user }) => {
    const { name, initializedAt, roles, leaving } = user;
    return {
      user: {
        name,
        isInitialized: initializedAt !== null,
        roles,
        ...(await getAccess(deps, user)),
        leaving,
        capabilities: [...CAPABILITIES],
      },
    };
  },
  status: ({ deps }) => getPlatformStatus(deps),
  userStatus: async ({ deps, user }) => ({ status: await getUserStatus(deps, user) }),
  saveSettings: async ({ deps, user, body }) => ({ status: await changeSettings(deps, user, body) }),
  initialize: async ({ deps, user, body, sessionId }) => ({
    token: await initialize(deps, user, { body, sessionId }),
  }),
  sendEmailLink: async ({ deps, user }) => {
    await sendLink(deps, user);
    return {};
  },
  cancelEmailChange: async ({ deps, user }) => {
    await cancelEmailChange(deps, user);
    return {};
  },
  readEmailLink: ({ deps, body }) => readLink(deps, body.token),
  confirmEmail: ({ deps, body }) => confirmLink(deps, body.token),
  deauthorize: async ({ deps, user }) => {
    await leave(deps, user, 'deauthorize');
    return {};
  },
  deleteAccount: async ({ deps, user }) => {
    await leave(deps, user, 'delete');
    return {};
  },
  endOtherSessions: async ({ deps, user, sessionId }) => ({
    ended: await endOtherSessions(deps, user, sessionId),
  }),
  deletionStatus: ({ deps, params }) => getDeletionStatus(deps, params.code),
  outages: ({ deps, user, query }) => getOutages(deps, user, query),
  outage: ({ deps, user, params, query }) => getOutage(deps, user, { ...query, id: params.id }),
  outageSpend: ({ deps, user, params }) => getHourlySpend(deps, user, params.id),
  spendMonths: ({ deps, user }) => getSpendMonths(deps, user),
  linkEvidence: ({ deps, user, params }) => linkEvidence(deps, user, params.id),
  activities: ({ deps, user, query }) => getActivities(deps, user, query),
  campaignHistory: ({ deps, user, params, query }) =>
    getCampaignHistory(deps, user, { ...query, id: params.id }),
  replayOutages: ({ deps, user, query }) => replaySettings(deps, user, query),
  dryRun: ({ deps, user }) => getDryRun(deps, user),
  pauseAllState: ({ deps, user }) => getPauseAllState(deps, user),
  pauseAll: ({ deps, user, body: { until } }) =>
    pauseAll(deps, user, until === null ? null : Date.parse(until)),
  resumeAll: ({ deps, user }) => resumeAll(deps, user),
  liveTest: async ({ deps, user }) => ({ test: await getLiveTest(deps, user) }),
  startLiveTest: async ({ deps, user, params }) => ({ test: await startLiveTest(deps, user, params.id) }),
  endLiveTest: async ({ deps, user }) => ({ test: await stopLiveTest(deps, user) }),
  adAccounts: ({ deps, user }) => getAdAccounts(deps, user),
  campaigns: ({ deps, user, params }) => getCampaigns(deps, user, params.adAccountId),
  pauseCampaign: ({ deps, user, params }) => pauseCampaign(deps, user, params.id),
  resumeCampaign: ({ deps, user, params }) => resumeCampaign(deps, user, params.id),
  readCampaign: async ({ deps, user, params }) => {
    await readHeldCampaign(deps, user, params.id);
    return {};
  },
  retryCampaign: ({ deps, user, params }) => retryCampaign(deps, user, params.id),
  createCampaignChange: ({ deps, user, body }) => changeCampaigns(deps, user, body),
  campaignChange: ({ deps, user, params }) => getCampaignChange(deps, user, params.id),
  setSmartPause: async ({ deps, user, params: { adAccountId: accountId, campaignId }, body }) => ({
    smartPauseSetting: await setSmartPause(deps, user, { accountId, campaignId, ...body }),
  }),
  destinations: ({ deps, user }) => destinations.getDestinations(deps, user),
  addDestination: ({ deps, user, body }) => destinations.addDestination(deps, user, body),
  changeDestination: async ({ deps, user, params, body }) => {
    await destinations.changeDestination(deps, user, { ...body, ...params });
    return {};
  },
  deleteDestination: async ({ deps, user, params }) => {
    await destinations.deleteDestination(deps, user, params.id);
    return {};
  },
  sendDestinationLink: async ({ deps, user, params }) => {
    await destinations.sendLinkAgain(deps, user, params.id);
    return {};
  },
  testDestination: async ({ deps, user, params }) => ({
    failure: await destinations.testDestination(deps, user, params.id),
  }),
  rotateSecret: async ({ deps, user, params }) => ({
    secret: await destinations.rotateSecret(deps, user, params.id),
  }),
  deliveries: ({ deps, user, params }) => destinations.getDeliveries(deps, user, params.id),
  sendDeliveryAgain: async ({ deps, user, params }) => {
    await destinations.sendDeliveryAgain(deps, user, params);
    return {};
  },
  subscription: ({ deps, user }) => getSubscription(deps, user),
  refreshSubscription: ({ deps, user }) => refreshSubscription(deps, user),
  createCheckoutSession: async ({ deps, user, body }) => ({
    checkoutUrl: await startCheckout(deps, user, body.planType),
  }),
  createPortalSession: async ({ deps, user }) => ({ portalUrl: await openPortal(deps, user) }),
  adminStats: ({ deps }) => readStatistics(deps.db, deps.clock.now()),
  adminActivity: async ({ deps }) => ({ activities: await getRecentActivities(deps) }),
  adminStatus: ({ deps }) => getAdminStatus(deps),
  adminSystemHealth: ({ deps }) => getSystemHealth(deps),
  adminEarlyWarning: ({ deps }) => getEarlyWarning(deps),
  adminLetWarningsAct: ({ deps, user, body }) => letWarningsAct(deps, user, body.acts),
  adminReach: ({ deps, params }) => getOverrideReach(deps, actionOf(params)),
  adminAction: async ({ deps, user, params, body }) => {
    await takeAdminAction(deps, user, { action: actionOf(params), reason: body?.reason });
    return {};
  },
};

function actionOf(params: { action: string }) {
  const action = ADMIN_ACTIONS.find((known) => known === params.action);
  if (action === undefined) throw new ApiError('NOT_FOUND');
  return action;
}
