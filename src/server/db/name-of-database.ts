/** The name for messages: host and database, without user or password. */
export function nameOfDatabase({
  databaseUrl,
  dataDir,
}: {
  databaseUrl: string | undefined;
  dataDir: string;
}): string {
  if (databaseUrl === undefined) return `embedded PostgreSQL, in ${dataDir}`;
  const { host, pathname } = new URL(databaseUrl);
  return `PostgreSQL, ${host}${pathname}`;
}
