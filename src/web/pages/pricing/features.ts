export const FEATURES = [
  'Unlimited campaigns and ad accounts',
  'Meta’s status, watched around the clock',
  'You choose which outages trigger a pause',
  'Resume instantly, after a delay, or the next day',
  'An email for every pause and resume',
  'Manual pause and resume in one place',
] as const;
