import { createHash } from 'node:crypto';
import { PGlite, messages, protocol } from '@electric-sql/pglite';
import pg from 'pg';
import { createDb } from '../../../src/server/db/database.ts';
import type { Db } from '../../../src/server/db/database.ts';
import { migrate } from '../../../src/server/db/migrate.ts';
import { migrations } from '../../../src/server/db/migrations/index.ts';
import type { Pool, PoolClient, QueryResult, Row } from '../../../src/server/db/pool/pool.ts';
import { DatabaseLostError, queryOnce, requireSql } from '../../../src/server/db/pool/pool.ts';
import { Lifetime } from './lifetime.ts';

/** When a connection breaks: before the statement is carried out, or before its response arrives. */
export type Break = 'before' | 'after';

interface Session {
  lifetime: Lifetime;
  /** Faults of the next statements, oldest first. */
  breaks: Break[];
}

type Reply = { status: string } & ({ result: QueryResult } | { error: Error });
type RowReader = (fields: readonly (string | null)[]) => Row;

const { serialize } = protocol;

/** Known facts of a statement by its text, kept from history to history. */
interface Known {
  /** Derived from the text alone, so that it is the same in every process. */
  short: string;
  changesWhatIsLookedAt: boolean;
  changesAMatch: boolean;
  /** Null: it is sent unprepared. */
  name: string | null;
  /** Reads its rows, described once; null: not prepared yet. */
  readRow: RowReader | null;
}

const CHANGES_WHAT_IS_LOOKED_AT =
  /\b(insert into|update|delete from)\s+"?(hold|app_user|smart_pause|platform_status)\b(?!" set "poller")/i;
const CHANGES_A_MATCH = /\bupdate\s+"?(platform_status"? set "true_level|app_user"? set "threshold)"/i;

/**
 * The product's own schema in a PGlite of this process. PGlite has one session, which the clients
 * of all processes share; each statement is prepared once and kept from history to history.
 */
export class SimulatedDatabase {
  readonly #engine: PGlite;
  readonly #known = new Map<string, Known>();
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;
  #initial = '';
  #tables: string[] = [];
  /** Counts statements that could have changed a row that the rules refer to. */
  writes = 0;
  /** Of these, those that can begin or end a match. */
  matchWrites = 0;
  statements = 0;
  #sending = 0;
  #hash = createHash('sha1');

  static async open(): Promise<SimulatedDatabase> {
    const database = new SimulatedDatabase(await PGlite.create());
    const pool = database.poolFor(new Lifetime('setup'));
    await migrate(pool, migrations);
    await database.#forgoTheLog();
    // No page listens here, and its triggers plan a statement for every change.
    await database.query('drop function notify_live_update() cascade');
    // Cached plans would make the order of rows depend on earlier queries.
    await database.query('set plan_cache_mode = force_generic_plan');
    await database.#rememberInitial();
    return database;
  }

  private constructor(engine: PGlite) {
    this.#engine = engine;
  }

  /** The database as one process sees it. */
  poolFor(lifetime: Lifetime, breaks: Break[] = []): Pool {
    const session: Session = { lifetime, breaks };
    const pool: Pool = {
      options: {},
      connect: () => this.#connect(session),
      query: <R = Row>(text: string, values?: readonly unknown[]) => queryOnce<R>(pool, text, values),
      end: () => Promise.resolve(),
    };
    return pool;
  }

  dbFor(lifetime: Lifetime, breaks: Break[] = []): Db {
    return createDb(this.poolFor(lifetime, breaks));
  }

  /** Whether a statement is running: that takes real time, in which the virtual time must not advance. */
  get isBusy(): boolean {
    return this.#sending > 0;
  }

  /** Of all statements since the last wipe, with their values, in order. */
  digest(): string {
    return this.#hash.copy().digest('hex');
  }

  /** Restores the initial state. */
  async wipe(): Promise<void> {
    this.#hash = createHash('sha1');
    await this.#run(this.#initial, []);
  }

  /** For observers: without a process and without waiting for the session. */
  async query<R = Row>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    return (await this.#run(text, values)).rows as R[];
  }

  /** Every row of every table as text. */
  async dump(): Promise<string[]> {
    const rows: string[] = [];
    for (const name of this.#tables) {
      const found = await this.query<{ row: string }>(`select t::text as row from ${name} t`);
      rows.push(...found.map(({ row }) => row));
    }
    return rows;
  }

  async #connect(session: Session): Promise<PoolClient> {
    let status = 'I';
    let isOver = false;
    const rollBack = async (): Promise<void> => {
      if (status !== 'I') await this.#run('ROLLBACK', []).catch(() => undefined);
      status = 'I';
    };
    const abandon = (): void => {
      if (isOver) return;
      isOver = true;
      void running.then(rollBack).then(() => this.#passOn());
    };
    let running: Promise<unknown> = Promise.resolve();
    await session.lifetime.perform(async () => {
      await this.#acquire();
      session.lifetime.onDeath(abandon);
    });
    const execute = async (text: string, values: readonly unknown[]): Promise<QueryResult> => {
      if (isOver) throw new DatabaseLostError('The connection is gone.');
      const broken = session.breaks.shift();
      if (broken === 'before') return this.#lose(abandon);
      const reply = await this.#send(text, values);
      status = reply.status;
      if (broken === 'after') return this.#lose(abandon);
      if ('error' in reply) throw reply.error;
      return reply.result;
    };
    return {
      query: ((text: unknown, values: readonly unknown[] = []) => {
        requireSql(text);
        return session.lifetime.perform(() => {
          const result = execute(text, values);
          running = result.catch(() => undefined);
          return result;
        });
      }) as PoolClient['query'],
      release: abandon,
    };
  }

  /** The server rolls back uncommitted changes. */
  #lose(abandon: () => void): never {
    abandon();
    throw new DatabaseLostError('The connection was cut.');
  }

  async #acquire(): Promise<void> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isTaken = true;
  }

  #passOn(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#isTaken = false;
    else next();
  }

  async #run(text: string, values: readonly unknown[]): Promise<QueryResult> {
    const reply = await this.#send(text, values);
    if ('error' in reply) throw reply.error;
    return reply.result;
  }

  async #send(text: string, values: readonly unknown[]): Promise<Reply> {
    const known = this.#know(text, values.length > 0);
    this.statements += 1;
    if (known.changesWhatIsLookedAt) this.writes += 1;
    if (known.changesAMatch) this.matchWrites += 1;
    this.#hash.update(known.short + JSON.stringify(values));
    this.#sending += 1;
    try {
      const { name } = known;
      if (name === null) return await this.#exchange(serialize.query(text));
      if (known.readRow === null) {
        const prepared = await this.#exchange(
          Buffer.concat([
            serialize.parse({ name, text }),
            serialize.describe({ type: 'S', name }),
            serialize.sync(),
          ]),
          known,
        );
        if ('error' in prepared) return prepared;
        known.readRow ??= () => ({});
      }
      const bound = serialize.bind({
        statement: name,
        values: values.map((value) => encodeValue(value)),
      });
      return await this.#exchange(Buffer.concat([bound, serialize.execute({}), serialize.sync()]), known);
    } finally {
      this.#sending -= 1;
    }
  }

  async #exchange(message: Uint8Array, known?: Known): Promise<Reply> {
    const options = { syncToFs: false, throwOnError: false };
    return readReply((await this.#engine.execProtocol(message, options)).messages, known);
  }

  #know(text: string, hasValues: boolean): Known {
    const before = this.#known.get(text);
    if (before !== undefined) return before;
    const isPlain = !hasValues && /;|^\s*(begin|commit|rollback|create|alter|drop|do)\b/i.test(text);
    const known: Known = {
      short: createHash('sha1').update(text).digest('base64'),
      changesWhatIsLookedAt: CHANGES_WHAT_IS_LOOKED_AT.test(text),
      changesAMatch: CHANGES_A_MATCH.test(text),
      name: isPlain ? null : `s${this.#known.size}`,
      readRow: null,
    };
    this.#known.set(text, known);
    return known;
  }

  /** The data need not outlive the process. A write-ahead log would grow with every history. */
  async #forgoTheLog(): Promise<void> {
    const tables = async (): Promise<string[]> => {
      const rows = await this.query<{ name: string }>(
        `select relname as name from pg_class where relkind = 'r' and relpersistence = 'p'
          and relnamespace = 'public'::regnamespace order by oid desc`,
      );
      return rows.map(({ name }) => name);
    };
    // Referencing tables have to be altered first.
    for (let left = await tables(); left.length > 0; left = await tables()) {
      for (const name of left) await this.query(`alter table ${name} set unlogged`).catch(() => undefined);
    }
  }

  async #rememberInitial(): Promise<void> {
    const tables = await this.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'`,
    );
    this.#tables = tables.map(({ name }) => name);
    const status = await this.query<{ row: string }>(
      'select row_to_json(s)::text as row from platform_status s',
    );
    this.#initial = [
      `truncate ${tables.map(({ name }) => name).join(', ')} restart identity`,
      'set session_replication_role = replica',
      ...status.map(
        ({ row }) =>
          `insert into platform_status select * from json_populate_record(null::platform_status, '${row}')`,
      ),
      'set session_replication_role = origin',
    ].join(';');
  }
}

/** Rows of a prepared statement come without a description: it is remembered with the statement. */
function readReply(replies: readonly messages.BackendMessage[], known?: Known): Reply {
  let error: Error | undefined;
  let status = 'I';
  let readRow: RowReader = known?.readRow ?? (() => ({}));
  let rows: Row[] = [];
  let result: object = { command: null, rowCount: null, rows };
  for (const message of replies) {
    if (message instanceof messages.DataRowMessage) rows.push(readRow(message.fields));
    else if (message instanceof messages.RowDescriptionMessage) {
      readRow = rowReader(message.fields);
      if (known !== undefined) known.readRow = readRow;
    } else if (message instanceof messages.CommandCompleteMessage) {
      const [, command, first, second] = /^([A-Za-z]+)(?: (\d+))?(?: (\d+))?/.exec(message.text) ?? [];
      const count = second ?? first;
      result = { command, rowCount: count === undefined ? null : Number(count), rows };
      rows = [];
    } else if (message instanceof messages.DatabaseError) error ??= message;
    else if (message instanceof messages.ReadyForQueryMessage) status = message.status;
  }
  return error === undefined ? { status, result: result as QueryResult } : { status, error };
}

/** Values are parsed by the functions of `pg`, as in the product. */
function rowReader(fields: readonly { name: string; dataTypeID: number }[]): RowReader {
  const parserOf = pg.types.getTypeParser as (oid: number, format: 'text') => (value: string) => unknown;
  const columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID, 'text') }));
  return (values) =>
    Object.fromEntries(
      columns.map(({ name, parse }, index) => {
        const value = values[index] ?? null;
        return [name, value === null ? null : parse(value)];
      }),
    );
}

/** Encodes values like `pg`. */
function encodeValue(value: unknown): string | Uint8Array | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return encodeArray(value);
  if (typeof value === 'object') return JSON.stringify(value);
  return (value as string | number | boolean).toString();
}

function encodeArray(values: readonly unknown[]): string {
  const elements = values.map((value) => {
    if (Array.isArray(value)) return encodeArray(value);
    const encoded = encodeValue(value);
    if (encoded === null) return 'NULL';
    const text = typeof encoded === 'string' ? encoded : `\\x${Buffer.from(encoded).toString('hex')}`;
    return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
  });
  return `{${elements.join(',')}}`;
}
