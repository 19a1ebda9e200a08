export const ROLES = ['administrators', 'developers'] as const;
export type Role = (typeof ROLES)[number];

/** Both roles have the same rights. Admins may override the status and see the statistics of all users (ADMIN-08). */
export function isAdmin(roles: readonly string[]): boolean {
  return ROLES.some((role) => roles.includes(role));
}
