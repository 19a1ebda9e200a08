export const ROLES = ['administrators', 'developers'] as const;
export type Role = (typeof ROLES)[number];

/** Who may override the status and see everybody's statistics (ADMIN-08). */
export function isAdmin(roles: readonly string[]): boolean {
  return ROLES.some((role) => roles.includes(role));
}
