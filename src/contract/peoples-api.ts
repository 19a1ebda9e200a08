import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { personalData } from './personal-data.ts';
import {
  adAccount,
  adAccountId,
  campaign,
  campaignId,
  checkoutBody,
  deletionBody,
  deletionCode,
  deletionStatus,
  doneWith,
  instant,
  lastKnown,
  me,
  platformStatus,
  sessionEntry,
  sessionId,
  settingsBody,
  smartPauseSetting,
  subscriptionState,
  userStatus,
} from './shapes.ts';

const none = z.object({});
/** Where the browser is sent. The page has words of its own for an answer that names no address. */
const webAddress = z.url({ protocol: /^https?$/ });
const done = doneWith({});

/** The calls that anybody's pages make. */
export const peoplesApi = {
  me: endpoint({ method: 'GET', path: '/api/me', params: none, body: null, reply: me }),
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
    reply: doneWith({ status: z.catch(z.optional(userStatus), undefined) }),
  }),
  initialize: endpoint({
    method: 'POST',
    path: '/api/user/initialize',
    params: none,
    body: settingsBody,
    reply: doneWith({ token: z.catch(z.optional(z.string()), undefined) }),
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
    body: deletionBody,
    reply: done,
  }),
  exportData: endpoint({
    method: 'GET',
    path: '/api/account/export',
    params: none,
    body: null,
    reply: personalData,
  }),
  sessions: endpoint({
    method: 'GET',
    path: '/api/sessions',
    params: none,
    body: null,
    reply: z.object({ sessions: z.array(sessionEntry) }),
  }),
  endSession: endpoint({
    method: 'POST',
    path: '/api/sessions/{id}/end',
    params: z.object({ id: sessionId }),
    body: null,
    reply: done,
  }),
  endOtherSessions: endpoint({
    method: 'POST',
    path: '/api/sessions/end-others',
    params: none,
    body: null,
    reply: doneWith({ ended: z.number() }),
  }),
  deletionStatus: endpoint({
    access: 'public',
    method: 'GET',
    path: '/api/data-deletion/{code}',
    params: z.object({ code: deletionCode }),
    body: null,
    reply: deletionStatus,
  }),
  adAccounts: endpoint({
    method: 'GET',
    path: '/api/ad-accounts',
    params: none,
    body: null,
    reply: z.object({ adAccounts: z.array(adAccount), lastKnown: z.optional(lastKnown) }),
  }),
  campaigns: endpoint({
    method: 'GET',
    path: '/api/campaigns/{adAccountId}',
    params: z.object({ adAccountId }),
    body: null,
    reply: z.object({
      campaigns: z.array(campaign),
      /** When Meta was asked for this list. A server of the last version, which may still be at work, does not say. */
      readAt: z.optional(instant),
      /** A newer one is on its way: it is there in a moment. */
      isBeingRead: z.optional(z.literal(true)),
      lastKnown: z.optional(lastKnown),
    }),
  }),
  pauseCampaign: endpoint({
    method: 'POST',
    path: '/api/campaigns/{id}/pause',
    params: z.object({ id: campaignId }),
    body: null,
    reply: doneWith({ status: z.catch(z.string(), 'PAUSED') }),
  }),
  resumeCampaign: endpoint({
    method: 'POST',
    path: '/api/campaigns/{id}/resume',
    params: z.object({ id: campaignId }),
    body: null,
    reply: doneWith({ status: z.catch(z.string(), 'ACTIVE') }),
  }),
  setSmartPause: endpoint({
    method: 'POST',
    path: '/api/smartpause/{adAccountId}/{campaignId}',
    params: z.object({ adAccountId, campaignId }),
    body: z.object({ enabled: z.boolean() }),
    reply: doneWith({ smartPauseSetting: z.catch(z.optional(smartPauseSetting), undefined) }),
  }),
  subscription: endpoint({
    method: 'GET',
    path: '/api/stripe/subscription',
    params: none,
    body: null,
    reply: subscriptionState,
  }),
  createCheckoutSession: endpoint({
    method: 'POST',
    path: '/api/stripe/create-checkout-session',
    params: none,
    body: checkoutBody,
    reply: z.object({ checkoutUrl: z.nullish(webAddress) }),
  }),
  createPortalSession: endpoint({
    method: 'POST',
    path: '/api/stripe/create-portal-session',
    params: none,
    body: z.optional(z.object({})),
    reply: z.object({ portalUrl: z.nullish(webAddress) }),
  }),
  /** After a checkout or the portal: reads Stripe now. */
  refreshSubscription: endpoint({
    method: 'POST',
    path: '/api/stripe/refresh-subscription',
    params: none,
    body: null,
    reply: subscriptionState,
  }),
} as const;
