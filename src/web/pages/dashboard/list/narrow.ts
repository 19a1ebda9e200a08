/** Campaigns are cards instead of table rows. Same value as in dashboard.module.css. */
export const NARROW = '(max-width: 62em)';
