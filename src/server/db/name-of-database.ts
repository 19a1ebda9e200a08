/** The name for messages: host and database, without user or password. */
export function nameOfDatabase(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl);
  return `PostgreSQL, ${host}${pathname}`;
}
