import type { z } from 'zod';
import type { Api, ApiName } from '#contract/api.ts';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type { Person } from '../db/people.ts';
import { getAdAccounts, getCampaigns } from '../operations/ad-accounts.ts';
import { pauseCampaign, resumeCampaign, setSmartPause } from '../operations/campaigns.ts';
import type { OperationDeps } from '../operations/deps.ts';
import { leave } from '../operations/leave.ts';
import { changeSettings, initialize } from '../operations/settings.ts';
import { getPlatformStatus, getUserStatus } from '../operations/status.ts';

/** One call as it arrives: who calls, with which session, and what they sent, already parsed. */
export interface Call<Name extends ApiName> {
  deps: OperationDeps;
  person: Person;
  sessionToken: string;
  params: ParamsOf<Api[Name]>;
  body: BodyOf<Api[Name]>;
}

/** A handler for every entry of the contract: a missing one does not compile. */
export type Handlers = {
  [Name in ApiName]: (call: Call<Name>) => Promise<z.input<Api[Name]['reply']>>;
};

const done = { success: true } as const;

export const handlers: Handlers = {
  me: ({ person: { name, isInitialized, roles } }) =>
    Promise.resolve({ user: { name, isInitialized, roles } }),
  status: ({ deps }) => getPlatformStatus(deps),
  userStatus: async ({ deps, person }) => ({ status: await getUserStatus(deps, person) }),
  saveSettings: async ({ deps, person, body }) => ({
    ...done,
    status: await changeSettings(deps, person, body),
  }),
  initialize: async ({ deps, person, body, sessionToken }) => ({
    ...done,
    token: await initialize(deps, person, { body, sessionToken }),
  }),
  deauthorize: async ({ deps, person }) => {
    await leave(deps, person, 'deauthorize');
    return done;
  },
  deleteAccount: async ({ deps, person }) => {
    await leave(deps, person, 'delete');
    return done;
  },
  adAccounts: async ({ deps, person }) => ({ adAccounts: await getAdAccounts(deps, person) }),
  campaigns: async ({ deps, person, params }) => ({
    campaigns: await getCampaigns(deps, person, params.adAccountId),
  }),
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
};
