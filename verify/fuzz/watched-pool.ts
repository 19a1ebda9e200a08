import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';

/** Reports each statement that has changed or found rows, once it is committed. */
export function watchedPool(inner: PostgresPool, onCommitted: (statement: string) => void): PostgresPool {
  const watched = (client: PostgresPoolClient): PostgresPoolClient => {
    let transaction: string[] | null = null;
    const query = async (text: string, values: readonly unknown[]): Promise<PostgresQueryResult<unknown>> => {
      const result = await client.query<unknown>(text, values);
      if (text === 'commit') transaction?.forEach(onCommitted);
      if (text === 'begin') transaction = [];
      else if (text === 'commit' || text === 'rollback') transaction = null;
      else if (result.rowCount > 0 && transaction === null) onCommitted(text);
      else if (result.rowCount > 0) transaction?.push(text);
      return result;
    };
    const release = (destroy?: boolean): void => client.release(destroy);
    return { query: query as PostgresPoolClient['query'], release };
  };
  return {
    options: inner.options,
    connect: async () => watched(await inner.connect()),
    end: () => inner.end(),
  };
}
