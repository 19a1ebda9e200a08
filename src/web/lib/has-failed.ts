/** TanStack Query forgets the error of a query without data while it reads again, so this counts the errors. */
export function hasFailed(query: { isError: boolean; data: unknown; errorUpdateCount: number }): boolean {
  return query.isError || (query.data === undefined && query.errorUpdateCount > 0);
}
