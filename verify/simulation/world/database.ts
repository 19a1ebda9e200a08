import { Duplex } from 'node:stream';
import { PGlite } from '@electric-sql/pglite';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { migrate } from '../../../src/server/db/migrate.ts';
import { migrations } from '../../../src/server/db/migrations/all.ts';
import { Lifetime } from './lifetime.ts';

/** When a connection breaks: before the statement is carried out, or before its response arrives. */
export type Break = 'before' | 'after';

/** As pg words it. */
const CONNECTION_LOST = 'Connection terminated unexpectedly';
const CHANGES_WHAT_IS_LOOKED_AT =
  /\b(insert into|update|delete from)\s+"?(holds|users|smartpause_settings|platform_status|signals|detection)\b(?!" set "(?:poller|weighed_at)")/i;
const TIMES = /\b(?:now|clock_timestamp)\(\)/g;

/** What pg takes for its socket: PGlite answers every message at once. */
class Wire extends Duplex {
  readonly #engine: PGlite;

  constructor(engine: PGlite) {
    super();
    this.#engine = engine;
  }

  connect(): void {
    process.nextTick(() => this.emit('connect'));
  }

  setNoDelay(): void {}

  override _read(): void {}

  override _write(message: Buffer, _encoding: string, done: () => void): void {
    this._writev([{ chunk: message }], done);
  }

  override _writev(messages: { chunk: Buffer }[], done: () => void): void {
    const message = Buffer.concat(messages.map(({ chunk }) => chunk));
    const answer = this.#engine.execProtocolRawSync(message);
    if (answer.length > 0) this.push(answer);
    done();
  }
}

/** But a partitioned one, which PostgreSQL refuses; its partitions have the rows. */
const TABLE = /^\s*create table(?!\s+\w+ \([^]*?^\) partition by)/gim;

/** The product's own schema in a PGlite of this process. PGlite has one session, which all processes share. */
export class SimulatedDatabase {
  readonly #client: pg.Client;
  readonly #names = new Map<string, string>();
  /** Resolves when the session is free. */
  #free: Promise<unknown> = Promise.resolve();
  #tables: string[] = [];
  /** Counts statements that could have changed a row that the rules refer to. */
  writes = 0;

  static async open(): Promise<SimulatedDatabase> {
    const wire = new Wire(await PGlite.create());
    const client = new pg.Client({ user: 'postgres', database: 'postgres', stream: () => wire });
    await client.connect();
    const database = new SimulatedDatabase(client);
    await migrate(database.poolFor(new Lifetime(), []), migrations);
    // No page listens here, and its triggers plan a statement for every change.
    await database.query(
      'drop function notify_all, notify_user, notify_self, notify_users_of_holds, notify_users_of_campaigns cascade',
    );
    // Cached plans would make the order of rows depend on earlier queries.
    await database.query('set plan_cache_mode = force_generic_plan');
    const tables = await database.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%' order by 1`,
    );
    database.#tables = tables.map(({ name }) => name);
    await database.query('create table first_status as table platform_status');
    return database;
  }

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /** Restores the initial state. */
  async wipe(): Promise<void> {
    await this.query(`truncate ${this.#tables.join(', ')} restart identity;
      insert into platform_status table first_status; insert into app_state default values; insert into detection default values`);
  }

  /** For observers: without a process and without waiting for the session. */
  async query<R = unknown>(text: string): Promise<R[]> {
    return (await this.#send(text, [])).rows as R[];
  }

  /** The database as one process sees it. @param breaks faults of its next statements, oldest first */
  poolFor(lifetime: Lifetime, breaks: Break[]): PostgresPool {
    const connect = () => this.#connect(lifetime, breaks);
    return { options: {}, connect, end: () => Promise.resolve() };
  }

  async #connect(lifetime: Lifetime, breaks: Break[]): Promise<PostgresPoolClient> {
    let isOver = false;
    let running: Promise<unknown> = Promise.resolve();
    const { promise: nextIsFree, resolve: passOn } = Promise.withResolvers<undefined>();
    // The server rolls back uncommitted changes.
    const abandon = (): void => {
      if (isOver) return;
      isOver = true;
      void running.then(() => this.#rollBack()).then(() => passOn(undefined));
    };
    const lose = (): never => {
      abandon();
      throw new Error(CONNECTION_LOST);
    };
    await lifetime.perform(async () => {
      const isFree = this.#free;
      this.#free = nextIsFree;
      await isFree;
      lifetime.onDeath(abandon);
    });
    const execute = async (text: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
      if (isOver) throw new Error(CONNECTION_LOST);
      const broken = breaks.shift();
      if (broken === 'before') return lose();
      const sent = this.#send(text, values);
      if (broken !== 'after') return sent;
      await sent.catch(() => undefined);
      return lose();
    };
    return {
      query: ((text: string, values: readonly unknown[] = []) =>
        lifetime.perform(() => {
          const result = execute(text, values);
          running = result.catch(() => undefined);
          return result;
        })) as unknown as PostgresPoolClient['query'],
      release: abandon,
    };
  }

  async #rollBack(): Promise<void> {
    if (this.#client.getTransactionStatus() !== 'I') await this.#send('ROLLBACK', []).catch(() => undefined);
  }

  #send(written: string, given: readonly unknown[]): Promise<pg.QueryResult> {
    if (CHANGES_WHAT_IS_LOOKED_AT.test(written)) this.writes += 1;
    const text = written.replaceAll(TIMES, `$$${given.length + 1}::timestamptz`);
    const values = text === written ? [...given] : [...given, new Date()];
    // The data need not outlive the process. A write-ahead log would grow with every history.
    if (values.length === 0) return this.#client.query(text.replaceAll(TABLE, 'create unlogged table'));
    // Each statement is prepared once, which halves the time of a history.
    const name = this.#names.get(text) ?? `s${this.#names.size}`;
    this.#names.set(text, name);
    return this.#client.query({ name, text, values });
  }
}
