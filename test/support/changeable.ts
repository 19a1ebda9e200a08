/** The tables that an action of a user could change. */
export const CHANGEABLE = [
  'users',
  'sessions',
  'smartpause_settings',
  'holds',
  'subscriptions',
  'activities',
  'ad_accounts',
  'platform_tokens',
];
