const SEASONS = ['Spring Sale', 'Summer Drop', 'Back to School', 'Black Friday', 'Holiday Gifts'];
const AUDIENCES = [
  'Prospecting',
  'Retargeting 30d',
  'Lookalike 1%',
  'Broad',
  'Cart Abandoners',
  'VIP Customers',
];

/** Campaigns of a large agency: 'Spring Sale | Broad | 0042', every seventh paused. */
export function manyCampaigns(count: number): Record<string, 'ACTIVE' | 'PAUSED'> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const parts = [SEASONS[index % 5], AUDIENCES[index % 6], String(index + 1).padStart(4, '0')];
      return [parts.join(' | '), index % 7 === 6 ? 'PAUSED' : 'ACTIVE'];
    }),
  );
}
