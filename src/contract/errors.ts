import * as z from 'zod/mini';
import { LEGACY_CAMPAIGN_WORDS } from '#core/labels.ts';

/**
 * Every expected error: code, HTTP status and message for the user. Any other error is a bug and returns
 * SERVER_ERROR with an id to find it in the log.
 */
export const API_ERRORS = {
  INVALID_REQUEST: { status: 400, message: 'The request isn’t valid.' },
  UNAUTHENTICATED: { status: 401, message: 'Authentication expired - please log in again' },
  SUBSCRIPTION_REQUIRED: { status: 403, message: 'You need an active subscription for this.' },
  ACCESS_DENIED: { status: 403, message: 'You don’t have access to this.' },
  ROLE_CANNOT_PAUSE: {
    status: 403,
    message:
      "Your role on this account can't pause campaigns. Ask an admin of the ad account for permission to manage campaigns.",
  },
  ADMIN_REQUIRED: { status: 403, message: 'Only admins can do this.' },
  NOT_FOUND: { status: 404, message: 'Not found.' },
  AD_ACCOUNT_NOT_FOUND: {
    status: 404,
    message: 'This ad account doesn’t exist, or you don’t have access to it.',
  },
  CAMPAIGN_NOT_FOUND: {
    status: 404,
    message: 'This campaign doesn’t exist, or you don’t have access to it.',
  },
  DELETION_NOT_FOUND: { status: 404, message: 'No deletion matches this confirmation code.' },
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
    message: 'You’re already subscribed. Change or renew your plan in Settings → Billing.',
  },
  PAYMENT_DUE: {
    status: 409,
    message: 'There’s a problem with your payment. Update your card in Settings → Billing.',
  },
  NO_BILLING: { status: 409, message: 'You don’t have a subscription to manage yet.' },
  ACCOUNT_LEAVING: { status: 409, message: 'This account is being closed.' },
  CAMPAIGN_BUSY: {
    status: 409,
    message: 'SmartPause is working on this campaign. Please try again in a moment.',
  },
  CAMPAIGN_NOT_RUNNING: { status: 409, message: 'This campaign isn’t running. Choose a running one.' },
  LIVE_TEST_RUNNING: { status: 409, message: 'Another test is running. Wait until it’s over.' },
  OUTAGE_ONGOING: { status: 409, message: 'There’s an outage now. You can test again when it’s over.' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Send the request as JSON.' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests. Please try again in a moment.' },
  SERVER_ERROR: { status: 500, message: 'Something went wrong on our side.' },
  CAMPAIGN_ACTION_FAILED: { status: 502, message: 'Meta didn’t apply this change.' },
  TOKEN_EXPIRED: {
    status: 502,
    message: 'Your Meta connection has expired. Please log in again to reconnect.',
  },
  PLATFORM_UNAVAILABLE: { status: 502, message: 'Meta didn’t respond. Please try again in a moment.' },
  BILLING_UNAVAILABLE: {
    status: 502,
    message: 'Our payment provider didn’t respond. Please try again in a moment.',
  },
  BILLING_MISCONFIGURED: {
    status: 502,
    message: 'Billing isn’t available right now because of a problem on our side. We’ve been notified.',
  },
  DEAUTH_FAILED: {
    status: 502,
    message: 'We haven’t finished revoking our access. We’ll keep trying in the background.',
  },
  ACCOUNT_DELETE_FAILED: {
    status: 502,
    message: 'We haven’t finished deleting your account. We’ll keep trying in the background.',
  },
  TRY_LATER: { status: 503, message: 'We’re too busy right now. Please try again in a moment.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ApiErrorCode = keyof typeof API_ERRORS;

export const errorEnvelope = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    /** The request's id in the server log; set for server errors. */
    id: z.optional(z.string()),
  }),
});
export type ErrorEnvelope = z.infer<typeof errorEnvelope>;

/** Error codes that the login redirect puts into the page's address (`?error=CODE`). */
export const LOGIN_ERRORS = [
  'AUTH_FAILED',
  'INVALID_STATE',
  'NO_CODE',
  'FACEBOOK_ERROR',
  'ACCESS_DENIED',
  'SERVER_ERROR',
] as const;
export type LoginError = (typeof LOGIN_ERRORS)[number];

/** An expected error. Services throw it; one handler turns it into the error envelope. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;

  constructor(code: ApiErrorCode, message: string = API_ERRORS[code].message) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
  }
}
