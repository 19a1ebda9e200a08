import type { z } from 'zod';
import type { Api, ApiName } from '#contract/api.ts';
import type { BodyOf, ParamsOf, QueryOf } from '#contract/endpoint.ts';
import { Refusal } from '#contract/errors.ts';
import { ADMIN_ACTIONS } from '#contract/admin-overview.ts';
import type { Person } from '../../db/users/people.ts';
import { readPersonalData } from '../../db/reports/personal-data.ts';
import {
  getAdminStatus,
  getRecentActivities,
  getStatistics,
  takeAdminAction,
} from '../../services/admin/admin.ts';
import { getAdAccounts } from '../../services/campaigns/ad-accounts.ts';
import { startCheckout } from '../../services/billing/billing-checkout.ts';
import { getSubscription, openPortal, refreshSubscription } from '../../services/billing/billing.ts';
import { getCampaigns } from '../../services/campaigns/campaign-lists.ts';
import { pauseCampaign, resumeCampaign, setSmartPause } from '../../services/campaigns/campaigns.ts';
import type { OperationDeps } from '../../services/deps.ts';
import { getHeld } from '../../services/admin/held.ts';
import { leave } from '../../services/account/leave.ts';
import { getDeletionStatus } from '../../services/account/platform-callbacks.ts';
import { getProblems } from '../../services/admin/problems.ts';
import { retry } from '../../services/admin/retry.ts';
import { endOtherSessions, endOwnSession, getSessions } from '../../services/account/sessions.ts';
import { changeSettings, initialize } from '../../services/settings.ts';
import { getPlatformStatus, getUserStatus } from '../../services/status.ts';
import { getAccessState } from '../../services/account/tokens.ts';

/** One call as it arrives: who calls, with which session, and what they sent, already parsed. */
export type Call<Name extends ApiName> = {
  deps: OperationDeps;
  params: ParamsOf<Api[Name]>;
  query: QueryOf<Api[Name]>;
  body: BodyOf<Api[Name]>;
} & (Api[Name] extends { access: 'public' } ? unknown : { person: Person; sessionId: string });

/** A handler for every entry of the contract: a missing one does not compile. */
export type Handlers = {
  [Name in ApiName]: (call: Call<Name>) => Promise<z.input<Api[Name]['reply']>>;
};

const done = { success: true } as const;

export const handlers: Handlers = {
  me: async ({ deps, person }) => {
    const { name, isInitialized, roles, leaving } = person;
    return {
      user: {
        name,
        isInitialized,
        roles,
        access: await getAccessState(deps, person),
        leaving: leaving?.how ?? null,
      },
    };
  },
  status: ({ deps }) => getPlatformStatus(deps),
  userStatus: async ({ deps, person }) => ({ status: await getUserStatus(deps, person) }),
  saveSettings: async ({ deps, person, body }) => ({
    ...done,
    status: await changeSettings(deps, person, body),
  }),
  initialize: async ({ deps, person, body, sessionId }) => ({
    ...done,
    token: await initialize(deps, person, { body, sessionId }),
  }),
  deauthorize: async ({ deps, person }) => {
    await leave(deps, person, 'deauthorize');
    return done;
  },
  deleteAccount: async ({ deps, person }) => {
    await leave(deps, person, 'delete');
    return done;
  },
  exportData: ({ deps, person }) => readPersonalData(deps.db, person.id, deps.clock.now()),
  sessions: async ({ deps, person, sessionId }) => ({ sessions: await getSessions(deps, person, sessionId) }),
  endSession: async ({ deps, person, params }) => {
    await endOwnSession(deps, person, params.id);
    return done;
  },
  endOtherSessions: async ({ deps, person, sessionId }) => ({
    ...done,
    ended: await endOtherSessions(deps, person, sessionId),
  }),
  deletionStatus: ({ deps, params }) => getDeletionStatus(deps, params.code),
  adAccounts: ({ deps, person }) => getAdAccounts(deps, person),
  campaigns: ({ deps, person, params }) => getCampaigns(deps, person, params.adAccountId),
  pauseCampaign: async ({ deps, person, params }) => ({
    ...done,
    status: await pauseCampaign(deps, person, params.id),
  }),
  resumeCampaign: async ({ deps, person, params }) => ({
    ...done,
    status: await resumeCampaign(deps, person, params.id),
  }),
  setSmartPause: async ({ deps, person, params, body }) => ({
    ...done,
    smartPauseSetting: await setSmartPause(deps, person, {
      accountId: params.adAccountId,
      campaignId: params.campaignId,
      enabled: body.enabled,
    }),
  }),
  subscription: ({ deps, person }) => getSubscription(deps, person),
  refreshSubscription: ({ deps, person }) => refreshSubscription(deps, person),
  createCheckoutSession: async ({ deps, person, body }) => ({
    checkoutUrl: await startCheckout(deps, person, body.planType),
  }),
  createPortalSession: async ({ deps, person }) => ({ portalUrl: await openPortal(deps, person) }),
  adminStats: ({ deps }) => getStatistics(deps),
  adminActivity: async ({ deps }) => ({ activities: await getRecentActivities(deps) }),
  adminStatus: ({ deps }) => getAdminStatus(deps),
  adminProblems: ({ deps }) => getProblems(deps),
  adminHeld: ({ deps, query }) => getHeld(deps, query.after ?? null),
  adminRetry: async ({ deps, person, body }) => ({ ...done, retried: await retry(deps, person, body) }),
  adminAction: async ({ deps, person, params }) => {
    const action = ADMIN_ACTIONS.find((known) => known === params.action);
    if (action === undefined) throw new Refusal('NOT_FOUND');
    await takeAdminAction(deps, person, action);
    return done;
  },
};
