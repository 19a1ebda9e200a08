import * as z from 'zod/mini';
import { resumeSettings } from './shapes.ts';

const instant = z.iso.datetime();
const maybe = z.nullable(instant);

/** Everything that is kept of one person, for themselves. Secrets are named with their dates only. */
export const personalData = z.object({
  exportedAt: instant,
  person: z.object({
    name: z.string(),
    metaUserId: z.string(),
    email: z.nullable(z.string()),
    roles: z.array(z.string()),
    signedUpAt: instant,
    setUpAt: maybe,
    outageThreshold: z.string(),
    resumeSettings,
  }),
  /** Who they are at Stripe, which keeps payments and invoices. */
  stripeCustomerId: z.nullable(z.string()),
  subscriptions: z.array(
    z.object({
      /** 'stripe', or 'grant': given by an administrator. */
      source: z.string(),
      status: z.string(),
      planType: z.string(),
      currentPeriodEnd: instant,
      canceledAt: maybe,
      trialEnd: maybe,
    }),
  ),
  /** Meta's permission: the token itself never leaves the server. */
  metaAccess: z.nullable(z.object({ savedAt: instant, expiresAt: maybe, refusedAt: maybe })),
  sessions: z.array(
    z.object({ device: z.string(), startedAt: instant, lastUsedAt: instant, expiresAt: instant }),
  ),
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
      reason: z.nullable(z.string()),
      beganAt: instant,
      pausedAt: maybe,
      endedAt: maybe,
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
