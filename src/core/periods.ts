import { days, minutes } from './time.ts';

// Periods that the server applies; pages, the API reference and the privacy policy state those in days and minutes.

/** Retention of history: the activity log, ended holds, outages and more (`RETENTION` of the server). */
export const HISTORY_DAYS = 400;
/** What went to destinations is listed, and can be sent again, for so long. */
export const DELIVERY_DAYS = 30;
/** The newest ones of a destination. */
export const DELIVERIES_LISTED = 200;
/** Hourly spend is kept and compared for so long: each hour of the week eight times. */
export const SPEND_DAYS = 56;
export const SPEND_MS = days(SPEND_DAYS);
/** A session ends this long after the login, or earlier when it is unused. */
export const SESSION_DAYS = 30;
export const UNUSED_SESSION_DAYS = 14;
/** How long a user may take in Meta's login dialog. */
export const LOGIN_MINUTES = 15;
export const LOGIN_ATTEMPT_MS = minutes(LOGIN_MINUTES);
/** The outcome of a login is kept at least this long for a repeated callback. */
export const LOGIN_OUTCOME_MS = minutes(5);
export const SESSION_MS = days(SESSION_DAYS);
export const UNUSED_SESSION_MS = days(UNUSED_SESSION_DAYS);
/**
 * A replaced session stays valid this long: for running requests,
 * and for a retry if the response with the new token was lost.
 */
export const REPLACED_SESSION_MS = minutes(1);
/** Precision of a session's last use: it saves a database write on every request. */
export const SESSION_USE_MS = minutes(5);

/** When a month's summary is sent: what an outage of its last day kept is known by then, since its days are read until the fourth night. */
export const SUMMARY_DAY = 5;
