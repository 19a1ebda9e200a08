/** Public pages, which search engines may show. */
export const PUBLIC_PAGES = ['/', '/payment', '/privacy-policy', '/terms-of-service'];

const PAGES = new Set([
  ...PUBLIC_PAGES,
  '/dashboard',
  '/settings',
  '/admin',
  '/billing/success',
  '/billing/canceled',
  '/privacy',
  '/terms',
]);

/** The status page of one deletion, by its confirmation code. */
const DELETION_PAGE = /^\/data-deletion\/[0-9A-Z]{20}$/;

/** Whether this path shows a page; everything else is not found, or no page. */
export function isPage(path: string): boolean {
  const page = path.replace(/(?<=[^/])\/$/, '');
  return PAGES.has(page) || DELETION_PAGE.test(page);
}
