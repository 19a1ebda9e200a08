/** The tables that an action of a user could change. */
export const CHANGEABLE = [
  'app_user',
  'session',
  'smart_pause',
  'hold',
  'subscription',
  'activity',
  'ad_account',
  'platform_token',
];
