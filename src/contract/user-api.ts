import * as z from 'zod/mini';
import { PLAN_TYPES } from '#core/billing/subscription.ts';
import { SMART_PAUSE_SETTINGS } from '#core/campaign.ts';
import { LINK_STATES } from '#core/confirmation.ts';
import { callsFor } from './endpoint.ts';
import { orNull } from './known.ts';
import {
  adAccount,
  adAccountId,
  CAMPAIGN_ACTIONS,
  campaign,
  campaignChange,
  campaignId,
  deletionBody,
  deletionCode,
  deletionStatus,
  done,
  lastKnown,
  platformStatus,
  settingsBody,
  storedText,
  subscriptionState,
  user,
  userStatus,
} from './shapes.ts';

const { get, post } = callsFor('user');

/** A URL for a redirect. The page handles a response without a URL itself. */
const webAddress = z.nullish(z.url({ protocol: /^https?$/ }));
/** A manual change. With status 202 it is `pending`: Meta has not confirmed it yet. */
const changed = (status: string) =>
  z.extend(done, { status: z._default(z.string(), status), pending: z.optional(z.literal(true)) });

const emailLink = z.object({ token: storedText(200) });
/**
 * After a confirmation it is 'used'. `address`: its beginning; null: the link is not for the address of today. `channel`: whose
 * channel the address is, and what it gets; absent: it is the user's own address, or not known.
 */
const foundLink = z.object({
  state: orNull(z.enum(LINK_STATES)),
  address: z.nullable(z.string()),
  channel: z.optional(z.object({ of: z.string(), events: z.array(z.string()) })),
});

/** Endpoints for the pages of all users. */
export const userApi = {
  me: get('/api/me', { reply: z.object({ user }) }),
  status: get('/api/status', { reply: platformStatus }),
  userStatus: get('/api/user/status', { reply: z.object({ status: userStatus }) }),
  saveSettings: post('/api/user/settings', {
    body: settingsBody,
    reply: z.extend(done, { status: z.optional(userStatus) }),
  }),
  initialize: post('/api/user/initialize', {
    body: settingsBody,
    reply: z.extend(done, { token: z.optional(z.string()) }),
  }),
  /** Sends a link to the address of the settings, which confirms it. */
  sendEmailLink: post('/api/user/email-link', { reply: done }),
  /** The address of the settings is the confirmed one again. */
  cancelEmailChange: post('/api/user/email-change/cancel', { reply: done }),
  deauthorize: post('/api/account/deauthorize', { reply: done }),
  deleteAccount: post('/api/account/delete', { body: deletionBody, reply: done }),
  endOtherSessions: post('/api/sessions/end-others', { reply: z.extend(done, { ended: z.number() }) }),
  deletionStatus: callsFor('public').get('/api/data-deletion/{code}', {
    params: z.object({ code: deletionCode }),
    reply: deletionStatus,
  }),
  /** What the page of a link shows: it changes nothing. In the body, since addresses of requests are logged. */
  readEmailLink: callsFor('public').post('/api/email-links/read', { body: emailLink, reply: foundLink }),
  confirmEmail: callsFor('public').post('/api/email-links/confirm', { body: emailLink, reply: foundLink }),
  adAccounts: get('/api/ad-accounts', {
    reply: z.object({ adAccounts: z.array(adAccount), lastKnown: z.optional(lastKnown) }),
  }),
  campaigns: get('/api/campaigns/{adAccountId}', {
    params: z.object({ adAccountId }),
    reply: z.object({
      campaigns: z.array(campaign),
      /** A refresh is in progress: a newer list is available in a moment. */
      isBeingRead: z.optional(z.literal(true)),
      lastKnown: z.optional(lastKnown),
    }),
    hasTag: true,
  }),
  pauseCampaign: post('/api/campaigns/{id}/pause', {
    params: z.object({ id: campaignId }),
    reply: changed('PAUSED'),
  }),
  resumeCampaign: post('/api/campaigns/{id}/resume', {
    params: z.object({ id: campaignId }),
    reply: changed('ACTIVE'),
  }),
  /** Tries again what Meta has refused; the list shows the result. */
  retryCampaign: post('/api/campaigns/{id}/retry', {
    params: z.object({ id: campaignId }),
    reply: z.extend(done, {
      isRefused: z.boolean(),
      /** Absent: not known to be so. */
      isAccepted: z.optional(z.boolean()),
    }),
  }),
  setSmartPause: post('/api/smartpause/{adAccountId}/{campaignId}', {
    params: z.object({ adAccountId, campaignId }),
    body: z.object({ enabled: z.boolean() }),
    reply: z.extend(done, { smartPauseSetting: z.optional(z.enum(SMART_PAUSE_SETTINGS)) }),
  }),
  /**
   * One request for many campaigns. `resume_now` ends the hold of every user and leaves SmartPause on. The result of one
   * campaign is waited for, as that of a manual change; of many the reply tells what is known at once.
   */
  createCampaignChange: post('/api/campaign-changes', {
    body: z.object({
      action: z.enum(CAMPAIGN_ACTIONS),
      campaignIds: z.array(campaignId).check(z.minLength(1), z.maxLength(10_000)),
    }),
    reply: campaignChange,
  }),
  campaignChange: get('/api/campaign-changes/{id}', {
    params: z.object({ id: z.string().check(z.regex(/^\d{1,18}$/, 'the id of a change')) }),
    reply: campaignChange,
  }),
  subscription: get('/api/stripe/subscription', { reply: subscriptionState }),
  createCheckoutSession: post('/api/stripe/create-checkout-session', {
    body: z.object({ planType: z.enum(PLAN_TYPES) }),
    reply: z.object({ checkoutUrl: webAddress }),
  }),
  createPortalSession: post('/api/stripe/create-portal-session', {
    body: z.optional(z.object({})),
    reply: z.object({ portalUrl: webAddress }),
  }),
  /** After a checkout or the portal: reads Stripe now. */
  refreshSubscription: post('/api/stripe/refresh-subscription', { reply: subscriptionState }),
};
