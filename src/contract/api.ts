import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import {
  adAccount,
  adAccountId,
  campaign,
  campaignId,
  platformStatus,
  settingsBody,
  smartPauseSetting,
  user,
  userStatus,
} from './shapes.ts';

const none = z.object({});
const done = z.object({ success: z.literal(true) });

/** The calls of the product, one entry each. The server must have a handler for every entry. */
export const api = {
  me: endpoint({ method: 'GET', path: '/api/me', params: none, body: null, reply: z.object({ user }) }),
  status: endpoint({ method: 'GET', path: '/api/status', params: none, body: null, reply: platformStatus }),
  userStatus: endpoint({
    method: 'GET',
    path: '/api/user/status',
    params: none,
    body: null,
    reply: z.object({ status: userStatus }),
  }),
  saveSettings: endpoint({
    method: 'POST',
    path: '/api/user/settings',
    params: none,
    body: settingsBody,
    reply: done.extend({ status: userStatus }),
  }),
  initialize: endpoint({
    method: 'POST',
    path: '/api/user/initialize',
    params: none,
    body: settingsBody,
    reply: done.extend({ token: z.string() }),
  }),
  deauthorize: endpoint({
    method: 'POST',
    path: '/api/account/deauthorize',
    params: none,
    body: null,
    reply: done,
  }),
  deleteAccount: endpoint({
    method: 'POST',
    path: '/api/account/delete',
    params: none,
    body: null,
    reply: done,
  }),
  adAccounts: endpoint({
    method: 'GET',
    path: '/api/ad-accounts',
    params: none,
    body: null,
    reply: z.object({ adAccounts: z.array(adAccount) }),
  }),
  campaigns: endpoint({
    method: 'GET',
    path: '/api/campaigns/{adAccountId}',
    params: z.object({ adAccountId }),
    body: null,
    reply: z.object({ campaigns: z.array(campaign) }),
  }),
  pauseCampaign: endpoint({
    method: 'POST',
    path: '/api/campaigns/{id}/pause',
    params: z.object({ id: campaignId }),
    body: null,
    reply: done.extend({ status: z.string() }),
  }),
  resumeCampaign: endpoint({
    method: 'POST',
    path: '/api/campaigns/{id}/resume',
    params: z.object({ id: campaignId }),
    body: null,
    reply: done.extend({ status: z.string() }),
  }),
  setSmartPause: endpoint({
    method: 'POST',
    path: '/api/smartpause/{adAccountId}/{campaignId}',
    params: z.object({ adAccountId, campaignId }),
    body: z.object({ enabled: z.boolean() }),
    reply: done.extend({ smartPauseSetting }),
  }),
} as const;

export type Api = typeof api;
export type ApiName = keyof Api;
