// Periods that the server applies and that pages, the API reference and the privacy policy state.

/** Retention of the activity log, of ended holds and outages, and of their notifications. */
export const HISTORY_DAYS = 400;
/** A session ends this long after the login, or earlier when it is unused. */
export const SESSION_DAYS = 30;
export const UNUSED_SESSION_DAYS = 14;
/** How long a user may take in Meta's login dialog. */
export const LOGIN_MINUTES = 15;
