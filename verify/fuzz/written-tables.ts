import type { Database } from '../../src/server/db/pool/open.ts';
import type { Pool, PoolClient, QueryResult } from '../../src/server/db/pool/pool.ts';

const WRITE = /^\s*(?:with .*?\) )?(?:insert into|update|delete from) "?(\w+)/is;

/** The tables of which requests have committed changed rows since the last look. */
export interface WrittenTables {
  database: Database;
  take: () => string[];
}

/** Watches the connections of the pages, which no background work uses. */
export function watchWrites(database: Database): WrittenTables {
  let written: string[] = [];
  const note = (into: string[], text: string, result: QueryResult): QueryResult => {
    const table = WRITE.exec(text)?.[1];
    if (table !== undefined && result.rowCount > 0) into.push(table);
    return result;
  };
  const watched = (client: PoolClient): PoolClient => {
    let open: string[] | null = null;
    const query = async (text: string, values?: readonly unknown[]): Promise<QueryResult> => {
      const result = await client.query(text, values);
      if (text === 'begin') open = [];
      if (text === 'commit') written.push(...(open ?? []));
      if (text === 'commit' || text === 'rollback') open = null;
      return note(open ?? written, text, result);
    };
    return { query: query as PoolClient['query'], release: (destroy) => client.release(destroy) };
  };
  const { pagesPool } = database;
  const pool: Pool = {
    options: pagesPool.options,
    connect: async () => watched(await pagesPool.connect()),
    query: async (text, values) => note(written, text, await pagesPool.query(text, values)) as never,
    end: () => pagesPool.end(),
  };
  return {
    database: { ...database, pagesPool: pool },
    take: () => {
      const taken = written;
      written = [];
      return taken;
    },
  };
}
