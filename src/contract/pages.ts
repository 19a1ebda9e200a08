/** Public pages, which search engines may show. */
export const PUBLIC_PAGES = ['/', '/payment', '/status', '/privacy-policy', '/terms-of-service'];

const PAGES = new Set([
  ...PUBLIC_PAGES,
  '/dashboard',
  '/login',
  '/pricing',
  '/setup',
  '/activity',
  '/settings',
  '/settings/notifications',
  '/settings/billing',
  '/settings/account',
  '/admin',
  '/confirm-email',
  '/billing/success',
  '/billing/canceled',
  '/privacy',
  '/terms',
]);

/** The status page of one deletion, by its confirmation code. */
const DELETION_PAGE = /^\/data-deletion\/[0-9A-Z]{20}$/;

/** One outage, by its id, or the last one. */
const OUTAGE_PAGE = /^\/activity\/(?:\d{1,18}|latest)$/;

export function isPage(path: string): boolean {
  const page = path.replace(/(?<=[^/])\/$/, '');
  return PAGES.has(page) || DELETION_PAGE.test(page) || OUTAGE_PAGE.test(page);
}
