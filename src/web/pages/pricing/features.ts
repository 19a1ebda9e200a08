/** What both plans have. */
export const FEATURES = [
  'SmartPause for as many campaigns as you like',
  'Meta’s status, watched around the clock',
  'Your threshold: which disruptions count',
  'Resumes at once, after a delay or next day',
  'An email for every pause and every resume',
  'Manual pause and resume in one place',
] as const;
