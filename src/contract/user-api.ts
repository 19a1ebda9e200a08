import * as z from 'zod/mini';
import { PLAN_TYPES } from '#core/billing/subscription.ts';
import type { Endpoint } from './endpoint.ts';
import {
  adAccount,
  adAccountId,
  campaign,
  campaignId,
  deletionBody,
  deletionCode,
  deletionStatus,
  doneWith,
  instant,
  lastKnown,
  me,
  platformStatus,
  settingsBody,
  smartPauseSetting,
  subscriptionState,
  userStatus,
} from './shapes.ts';

/** A URL for a redirect. The page handles a response without a URL itself. */
const webAddress = z.url({ protocol: /^https?$/ });
const done = doneWith({});
/** With status 202: Meta has not confirmed the change yet. */
const pending = z.optional(z.literal(true));

/** Endpoints for the pages of all users. */
export const userApi = {
  me: { access: 'user', method: 'GET', path: '/api/me', reply: me },
  status: { access: 'user', method: 'GET', path: '/api/status', reply: platformStatus },
  userStatus: {
    access: 'user',
    method: 'GET',
    path: '/api/user/status',
    reply: z.object({ status: userStatus }),
  },
  saveSettings: {
    access: 'user',
    method: 'POST',
    path: '/api/user/settings',
    body: settingsBody,
    reply: doneWith({ status: z.catch(z.optional(userStatus), undefined) }),
  },
  initialize: {
    access: 'user',
    method: 'POST',
    path: '/api/user/initialize',
    body: settingsBody,
    reply: doneWith({ token: z.catch(z.optional(z.string()), undefined) }),
  },
  deauthorize: { access: 'user', method: 'POST', path: '/api/account/deauthorize', reply: done },
  deleteAccount: {
    access: 'user',
    method: 'POST',
    path: '/api/account/delete',
    body: deletionBody,
    reply: done,
  },
  endOtherSessions: {
    access: 'user',
    method: 'POST',
    path: '/api/sessions/end-others',
    reply: doneWith({ ended: z.number() }),
  },
  deletionStatus: {
    access: 'public',
    method: 'GET',
    path: '/api/data-deletion/{code}',
    params: z.object({ code: deletionCode }),
    reply: deletionStatus,
  },
  adAccounts: {
    access: 'user',
    method: 'GET',
    path: '/api/ad-accounts',
    reply: z.object({ adAccounts: z.array(adAccount), lastKnown: z.optional(lastKnown) }),
  },
  campaigns: {
    access: 'user',
    method: 'GET',
    path: '/api/campaigns/{adAccountId}',
    params: z.object({ adAccountId }),
    reply: z.object({
      campaigns: z.array(campaign),
      /** When Meta was asked for this list. Absent if a server of the previous version responds. */
      readAt: z.optional(instant),
      /** A refresh is in progress: a newer list is available in a moment. */
      isBeingRead: z.optional(z.literal(true)),
      lastKnown: z.optional(lastKnown),
    }),
  },
  pauseCampaign: {
    access: 'user',
    method: 'POST',
    path: '/api/campaigns/{id}/pause',
    params: z.object({ id: campaignId }),
    reply: doneWith({ status: z.catch(z.string(), 'PAUSED'), pending }),
  },
  resumeCampaign: {
    access: 'user',
    method: 'POST',
    path: '/api/campaigns/{id}/resume',
    params: z.object({ id: campaignId }),
    reply: doneWith({ status: z.catch(z.string(), 'ACTIVE'), pending }),
  },
  setSmartPause: {
    access: 'user',
    method: 'POST',
    path: '/api/smartpause/{adAccountId}/{campaignId}',
    params: z.object({ adAccountId, campaignId }),
    body: z.object({ enabled: z.boolean() }),
    reply: doneWith({ smartPauseSetting: z.catch(z.optional(smartPauseSetting), undefined) }),
  },
  subscription: { access: 'user', method: 'GET', path: '/api/stripe/subscription', reply: subscriptionState },
  createCheckoutSession: {
    access: 'user',
    method: 'POST',
    path: '/api/stripe/create-checkout-session',
    body: z.object({ planType: z.enum(PLAN_TYPES) }),
    reply: z.object({ checkoutUrl: z.nullish(webAddress) }),
  },
  createPortalSession: {
    access: 'user',
    method: 'POST',
    path: '/api/stripe/create-portal-session',
    body: z.optional(z.object({})),
    reply: z.object({ portalUrl: z.nullish(webAddress) }),
  },
  /** After a checkout or the portal: reads Stripe now. */
  refreshSubscription: {
    access: 'user',
    method: 'POST',
    path: '/api/stripe/refresh-subscription',
    reply: subscriptionState,
  },
} as const satisfies Record<string, Endpoint>;
