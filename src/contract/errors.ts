import * as z from 'zod/mini';
import { DESTINATIONS_MAX } from '#core/destinations.ts';
import { LEGACY_CAMPAIGN_WORDS } from '#core/labels.ts';

const error = (status: number, message: string) => ({ status, message });

/**
 * Every expected error: code, HTTP status and message for the user. Any other error is a bug and returns
 * SERVER_ERROR with an id to find it in the log.
 */
export const API_ERRORS = {
  INVALID_REQUEST: error(400, 'The request isn’t valid.'),
  ADDRESS_REFUSED: error(400, 'SmartPause can’t send to this address.'),
  UNAUTHENTICATED: error(401, 'Authentication expired - please log in again'),
  SUBSCRIPTION_REQUIRED: error(403, 'You need an active subscription for this.'),
  ROLE_CANNOT_PAUSE: error(
    403,
    "Your role on this account can't pause campaigns. Ask an admin of the ad account for permission to manage campaigns.",
  ),
  ADMIN_REQUIRED: error(403, 'Only admins can do this.'),
  NOT_FOUND: error(404, 'Not found.'),
  AD_ACCOUNT_NOT_FOUND: error(404, 'This ad account doesn’t exist, or you don’t have access to it.'),
  CAMPAIGN_NOT_FOUND: error(404, 'This campaign doesn’t exist, or you don’t have access to it.'),
  DELETION_NOT_FOUND: error(404, 'No deletion matches this confirmation code.'),
  NOT_INITIALIZED: error(409, 'Complete your account setup in Settings first.'),
  SMARTPAUSE_ACTIVE: error(
    409,
    'This campaign cannot be manually resumed while SmartPause is active. It will resume automatically when the platform is stable, or disable SmartPause first.',
  ),
  LEGACY_CAMPAIGN: error(409, LEGACY_CAMPAIGN_WORDS),
  THRESHOLD_LOCKED: error(409, 'Threshold adjustments are disabled during Meta outages'),
  SUBSCRIPTION_ACTIVE: error(
    409,
    'Account deletion is disabled while you have an active subscription. Please cancel it in Billing first.',
  ),
  ALREADY_SUBSCRIBED: error(
    409,
    'You’re already subscribed. Change or renew your plan in Settings → Billing.',
  ),
  PAYMENT_DUE: error(409, 'There’s a problem with your payment. Update your card in Settings → Billing.'),
  NO_BILLING: error(409, 'You don’t have a subscription to manage yet.'),
  ACCOUNT_LEAVING: error(409, 'This account is being closed.'),
  CAMPAIGN_BUSY: error(409, 'SmartPause is working on this campaign. Please try again in a moment.'),
  CAMPAIGN_NOT_HELD: error(409, 'SmartPause isn’t keeping this campaign paused.'),
  CAMPAIGN_NOT_RUNNING: error(409, 'This campaign isn’t running. Choose a running one.'),
  LIVE_TEST_RUNNING: error(409, 'Another test is running. Wait until it’s over.'),
  OUTAGE_ONGOING: error(409, 'There’s an outage now. You can test again when it’s over.'),
  TOO_MANY_DESTINATIONS: error(
    409,
    `You have ${DESTINATIONS_MAX} channels, and no more are possible. Delete one first.`,
  ),
  DESTINATION_OFF: error(409, 'This channel is off. Turn it on first.'),
  INCIDENT_CHANGED: error(409, 'This no longer holds: PagerDuty would open or end an incident wrongly.'),
  NOT_CONFIRMED: error(409, 'This address isn’t confirmed yet.'),
  PAYLOAD_TOO_LARGE: error(413, 'The request is too large.'),
  UNSUPPORTED_MEDIA_TYPE: error(415, 'Send the request as JSON.'),
  TOO_MANY_REQUESTS: error(429, 'Too many requests. Please try again in a moment.'),
  SERVER_ERROR: error(500, 'Something went wrong on our side.'),
  CAMPAIGN_ACTION_FAILED: error(502, 'Meta didn’t apply this change.'),
  TOKEN_EXPIRED: error(502, 'Your Meta connection has expired. Please log in again to reconnect.'),
  PLATFORM_UNAVAILABLE: error(502, 'Meta didn’t respond. Please try again in a moment.'),
  BILLING_UNAVAILABLE: error(502, 'Our payment provider didn’t respond. Please try again in a moment.'),
  BILLING_MISCONFIGURED: error(
    502,
    'Billing isn’t available right now because of a problem on our side. We’ve been notified.',
  ),
  DEAUTH_FAILED: error(502, 'We haven’t finished revoking our access. We’ll keep trying in the background.'),
  ACCOUNT_DELETE_FAILED: error(
    502,
    'We haven’t finished deleting your account. We’ll keep trying in the background.',
  ),
  TRY_LATER: error(503, 'We’re too busy right now. Please try again in a moment.'),
};

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
