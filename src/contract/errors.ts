import * as z from 'zod/mini';
import { LEGACY_CAMPAIGN_WORDS } from '#core/words.ts';

/**
 * Every refusal of the server: its code, its HTTP status and a sentence for a person. Anything else that goes
 * wrong is a bug and answers SERVER_ERROR with an id to find it in the log.
 */
export const REFUSALS = {
  INVALID_REQUEST: { status: 400, message: 'The request is not valid.' },
  UNAUTHENTICATED: { status: 401, message: 'Authentication expired - please log in again' },
  SUBSCRIPTION_REQUIRED: { status: 403, message: 'An active subscription is needed for this.' },
  ACCESS_DENIED: { status: 403, message: 'You do not have access to this.' },
  ADMIN_REQUIRED: { status: 403, message: 'This is for administrators only.' },
  NOT_FOUND: { status: 404, message: 'There is nothing here.' },
  AD_ACCOUNT_NOT_FOUND: { status: 404, message: 'This ad account does not exist or is not yours.' },
  CAMPAIGN_NOT_FOUND: { status: 404, message: 'This campaign does not exist or is not yours.' },
  SESSION_NOT_FOUND: { status: 404, message: 'This session has ended already, or it is not yours.' },
  DELETION_NOT_FOUND: { status: 404, message: 'There is no deletion with this confirmation code.' },
  NOT_INITIALIZED: { status: 409, message: 'Complete your account setup in Settings first.' },
  SMARTPAUSE_ACTIVE: {
    status: 409,
    message:
      'This campaign cannot be manually resumed while SmartPause is active. It will resume automatically when the platform is stable, or disable SmartPause first.',
  },
  LEGACY_CAMPAIGN: { status: 409, message: LEGACY_CAMPAIGN_WORDS },
  THRESHOLD_LOCKED: { status: 409, message: 'Threshold adjustments are disabled during Meta outages' },
  SUBSCRIPTION_ACTIVE: {
    status: 409,
    message:
      'Account deletion is disabled while you have an active subscription. Please cancel it in Billing first.',
  },
  ALREADY_SUBSCRIBED: {
    status: 409,
    message: 'You are subscribed already. Your plan can be changed or renewed under Billing in Settings.',
  },
  PAYMENT_DUE: {
    status: 409,
    message: 'There is a problem with your payment. Please put it right under Billing in Settings.',
  },
  NO_BILLING: { status: 409, message: 'There is nothing to manage yet: you have not subscribed.' },
  ACCOUNT_LEAVING: { status: 409, message: 'This account is being closed.' },
  CAMPAIGN_BUSY: {
    status: 409,
    message: 'SmartPause is working on this campaign. Please try again in a moment.',
  },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request is too large.' },
  RANGE_NOT_SATISFIABLE: { status: 416, message: 'There is no such part of it.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Send JSON.' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests. Please try again in a moment.' },
  SERVER_ERROR: { status: 500, message: 'Something went wrong on our side.' },
  CAMPAIGN_ACTION_FAILED: { status: 502, message: 'Meta did not carry out this change.' },
  TOKEN_EXPIRED: {
    status: 502,
    message: 'Meta no longer accepts our access. Please log in again to renew it.',
  },
  PLATFORM_UNAVAILABLE: { status: 502, message: 'Meta did not answer. Please try again in a moment.' },
  BILLING_UNAVAILABLE: {
    status: 502,
    message: 'Our payment provider did not answer. Please try again in a moment.',
  },
  BILLING_MISCONFIGURED: {
    status: 502,
    message: 'Subscriptions cannot be managed at the moment. It is our fault, and we have been told.',
  },
  DEAUTH_FAILED: {
    status: 502,
    message: 'Revoking is not finished yet. We keep trying in the background.',
  },
  ACCOUNT_DELETE_FAILED: {
    status: 502,
    message: 'Deleting is not finished yet. We keep trying in the background.',
  },
  TRY_LATER: { status: 503, message: 'We are too busy right now. Please try again in a moment.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type RefusalCode = keyof typeof REFUSALS;

export const errorEnvelope = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    /** The request's id in the server's log; given when the fault is ours. */
    id: z.optional(z.string()),
  }),
});
export type ErrorEnvelope = z.infer<typeof errorEnvelope>;

/** Codes of the banner in the page's address (`?error=CODE`) that the login can end with. */
export type LoginError =
  'AUTH_FAILED' | 'INVALID_STATE' | 'NO_CODE' | 'FACEBOOK_ERROR' | 'ACCESS_DENIED' | 'SERVER_ERROR';

/** An expected 'no' to a call. Thrown by operations, turned into the error envelope in one place. */
export class Refusal extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string = REFUSALS[code].message) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
  }
}
