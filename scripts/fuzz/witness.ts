import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { Server, ServerResponse } from 'node:http';
import type { Database } from '../../src/server/db/pool/open.ts';
import type { Pool, PoolClient, QueryResult } from '../../src/server/db/pool/pool.ts';
import type { Change } from './messages.ts';
import { LABEL_HEADER, isRefused } from './messages.ts';

/** One request while the product works on it. */
interface Context {
  id: string;
  label: string | null;
  wrote: boolean;
  refused: boolean;
  what: string;
  acts: string[];
}

const current = new AsyncLocalStorage<Context>();
const CONTROL = /^\s*(begin|start|commit|rollback|savepoint|release|listen|unlisten)\b/i;
const WRITES = /\b(insert|update|delete|merge|truncate)\b/i;
/** A batch of the Graph API that only reads is a POST as well. */
const GRAPH_BATCH_WRITES = /%22method%22%3A%22POST%22|"method":"POST"/;

/** The same database, with every statement saying by a comment for which request it is. */
export function witnessed(database: Database): Database {
  const pool: Pool = {
    options: database.pool.options,
    connect: async () => witnessedClient(await database.pool.connect()),
    query: (text, values) => database.pool.query(marked(text), values),
    end: () => database.pool.end(),
  };
  return { ...database, pool };
}

function witnessedClient(client: PoolClient): PoolClient {
  const query = (text: string, values?: readonly unknown[]): Promise<QueryResult> =>
    client.query(marked(text), values);
  return { query: query as PoolClient['query'], release: (destroy) => client.release(destroy) };
}

function marked(text: string): string {
  const context = current.getStore();
  if (context === undefined || CONTROL.test(text)) return text;
  if (WRITES.test(text)) context.wrote = true;
  return `/*fuzz ${context.id}*/ ${text}`;
}

/** Triggers that note who changed which row: in the transaction, so that what is rolled back was never noted. */
export async function installWitness(pool: Pool): Promise<void> {
  await pool.query('create table fuzz_person (id text primary key, platform_user_id text not null)');
  await pool.query(
    'create table fuzz_change (request text not null, tab text not null, op text not null, columns text, owner text)',
  );
  await pool.query('create index on fuzz_change (request)');
  await pool.query(`create function fuzz_note() returns trigger language plpgsql as $$
    declare
      request text := substring(current_query() from '^/\\*fuzz ([^*]+)\\*/');
      before jsonb := '{}'; after jsonb := '{}'; changed text; whose text;
    begin
      if tg_op <> 'INSERT' then before := to_jsonb(old); end if;
      if tg_op <> 'DELETE' then after := to_jsonb(new); end if;
      if tg_table_name = 'person' and tg_op = 'INSERT' then
        insert into fuzz_person values (new.id::text, new.platform_user_id) on conflict do nothing;
      end if;
      if request is null or before = after then return null; end if;
      select string_agg(key, ',' order by key) into changed
        from (select jsonb_object_keys(before || after) as key) keys
        where before -> key is distinct from after -> key;
      whose := case tg_table_name when 'person' then (before || after) ->> 'id'
        else (before || after) ->> 'person_id' end;
      insert into fuzz_change values (request, tg_table_name, tg_op, changed,
        (select platform_user_id from fuzz_person where id = whose));
      return null;
    end $$`);
  const { rows } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_name not like 'fuzz%' and table_name not like 'kysely%'`,
  );
  for (const { name } of rows) {
    await pool.query(
      `create trigger zz_fuzz after insert or update or delete on ${name} for each row execute function fuzz_note()`,
    );
  }
}

/** What was changed for one request; `under` and `over` are names of requests. */
export async function changesOf(pool: Pool, id: string): Promise<Change[]> {
  const { rows } = await pool.query<Change>(
    `select distinct tab as table, op as operation, coalesce(columns, '') as columns, owner
     from fuzz_change where request = $1`,
    [id],
  );
  return rows;
}

export interface Over {
  label: string | null;
  status: number | null;
  refused: boolean;
  what: string;
  changes: Change[];
  acts: string[];
}

/** Follows every request from its arrival to its end. Whatever it causes is known by the asynchronous context. */
export function followRequests(server: Server, pool: Pool, onOver: (over: Over) => void) {
  const refused = new Map<string, { what: string; status: number | null }>();
  let count = 0;
  const listeners = server.listeners('request') as ((...args: unknown[]) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    count += 1;
    const header = request.headers[LABEL_HEADER];
    const what = `${request.method ?? ''} ${(request.url ?? '').slice(0, 200)}`;
    const context: Context = {
      id: String(count),
      label: typeof header === 'string' ? header : null,
      wrote: false,
      refused: false,
      what,
      acts: [],
    };
    response.setHeader('x-fuzz-seen', '1');
    response.once('close', () => void finish(context, response));
    current.run(context, () => listeners.forEach((listener) => listener.call(server, request, response)));
  });

  async function finish(context: Context, response: ServerResponse): Promise<void> {
    const { label, what, acts, id } = context;
    const status = response.headersSent ? response.statusCode : null;
    const location = response.getHeader('location');
    context.refused =
      status !== null && isRefused(status, typeof location === 'string' ? location : undefined);
    if (context.refused) refused.set(id, { what, status });
    const changes = context.wrote ? await changesOf(pool, id) : [];
    onOver({ label, status, refused: context.refused, what, changes, acts });
  }

  return {
    count: () => count,
    /** Everything that refused requests have changed since the last time, also after they were answered. */
    sweep: async (): Promise<{ what: string; status: number | null; change: Change }[]> => {
      const { rows } = await pool.query<Change & { request: string }>(
        `with gone as (delete from fuzz_change returning *)
         select distinct request, tab as table, op as operation, coalesce(columns, '') as columns, owner from gone`,
      );
      const found = rows.flatMap(({ request, ...change }) => {
        const known = refused.get(request);
        return known === undefined ? [] : [{ ...known, change }];
      });
      refused.clear();
      return found;
    },
  };
}

interface UndiciRequest {
  request: { method: string; origin: string; path: string; body: unknown };
}
interface ClientRequest {
  request: { method: string; path: string };
}

/** What is asked of Meta and Stripe for a request, other than to read. */
export function followActs(): void {
  const note = (act: string) => current.getStore()?.acts.push(act);
  subscribe('undici:request:create', (message) => {
    const { method, path, body } = (message as UndiciRequest).request;
    const text = Buffer.isBuffer(body) || typeof body === 'string' ? body.toString() : '';
    if (method === 'GET' || (text.startsWith('batch=') && !GRAPH_BATCH_WRITES.test(text))) return;
    note(`${method} ${path.split('?')[0] ?? ''}`);
  });
  subscribe('http.client.request.start', (message) => {
    const { method, path } = (message as ClientRequest).request;
    if (method !== 'GET') note(`${method} ${path.split('?')[0] ?? ''}`);
  });
}
