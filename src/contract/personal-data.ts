import * as z from 'zod/mini';
import { resumeSettings } from './shapes.ts';

const instant = z.iso.datetime();
const maybe = z.nullable(instant);

/** All stored data of one user, for the user's own export. Secrets appear only with their dates. */
export const personalData = z.object({
  exportedAt: instant,
  user: z.object({
    name: z.string(),
    metaUserId: z.string(),
    email: z.nullable(z.string()),
    roles: z.array(z.string()),
    signedUpAt: instant,
    setUpAt: maybe,
    outageThreshold: z.string(),
    resumeSettings,
    onForNewCampaigns: z.boolean(),
  }),
  /** The user's id at Stripe, which stores payments and invoices. */
  stripeCustomerId: z.nullable(z.string()),
  subscriptions: z.array(
    z.object({
      /** 'stripe', or 'grant': given by an admin. */
      source: z.string(),
      status: z.string(),
      planType: z.string(),
      currentPeriodEnd: instant,
      canceledAt: maybe,
      trialEnd: maybe,
    }),
  ),
  /** The token itself never leaves the server. */
  metaAccess: z.nullable(z.object({ savedAt: instant, expiresAt: maybe, refusedAt: maybe })),
  sessions: z.array(z.object({ startedAt: instant, lastUsedAt: instant, expiresAt: instant })),
  adAccounts: z.array(
    z.object({ id: z.string(), name: z.string(), currency: z.string(), lastSeenAt: instant }),
  ),
  smartPause: z.array(
    z.object({
      campaignId: z.string(),
      campaign: z.nullable(z.string()),
      adAccountId: z.string(),
      setting: z.string(),
      changedAt: instant,
    }),
  ),
  holds: z.array(
    z.object({
      campaignId: z.string(),
      adAccountId: z.string(),
      state: z.string(),
      outcome: z.nullable(z.string()),
      /** It began as a live test. */
      isTest: z.boolean(),
      reason: z.nullable(z.string()),
      beganAt: instant,
      pausedAt: maybe,
      endedAt: maybe,
    }),
  ),
  /** What each outage meant: the reason for all campaigns, or that of each campaign that was not paused. */
  outages: z.array(
    z.object({
      startedAt: instant,
      endedAt: maybe,
      peak: z.string(),
      threshold: z.string(),
      reason: z.nullable(z.string()),
      notPaused: z.record(z.string(), z.string()),
    }),
  ),
  activities: z.array(
    z.object({
      at: instant,
      actor: z.string(),
      type: z.string(),
      event: z.string(),
      message: z.string(),
      reason: z.nullable(z.string()),
      adAccountId: z.nullable(z.string()),
      campaignId: z.nullable(z.string()),
    }),
  ),
  emails: z.array(
    z.object({
      kind: z.string(),
      subject: z.nullable(z.string()),
      to: z.nullable(z.string()),
      writtenAt: instant,
      sentAt: maybe,
    }),
  ),
});
export type PersonalData = z.output<typeof personalData>;
