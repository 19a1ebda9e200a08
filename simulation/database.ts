import { createHash } from 'node:crypto';
import { PGlite, protocol } from '@electric-sql/pglite';
import { prepareValue } from 'pg/lib/utils.js';
import { createDb } from '../src/server/db/database.ts';
import type { Db } from '../src/server/db/database.ts';
import { migrate } from '../src/server/db/migrate.ts';
import { migrations } from '../src/server/db/migrations/index.ts';
import type { Reply } from '../src/server/db/pool/pglite-wire.ts';
import { decodeReply } from '../src/server/db/pool/pglite-wire.ts';
import type { Pool, PoolClient, QueryResult, Row } from '../src/server/db/pool/pool.ts';
import { DatabaseLostError, queryOnce, requireSql } from '../src/server/db/pool/pool.ts';
import { Life } from './life.ts';

/** How a connection can break: before the statement is carried out, or with its answer on the way. */
export type Break = 'before' | 'after';

interface Session {
  life: Life;
  /** What is to go wrong with the next statements, oldest first. */
  breaks: Break[];
}

const CHANGES_WHAT_IS_LOOKED_AT =
  /\b(insert into|update|delete from)\s+"?(hold|person|smart_pause|platform_status)\b(?!" set "poller")/i;
const CHANGES_A_MATCH = /\bupdate\s+"?(platform_status"? set "true_level|person"? set "threshold)"/i;

/**
 * The product's own schema in a PGlite of this very process. The engine is one session, which the clients of all
 * simulated processes take in turn; each statement is prepared once and kept from history to history.
 */
export class SimulatedDatabase {
  readonly #engine: PGlite;
  readonly #prepared = new Map<string, string>();
  readonly #shorts = new Map<string, string>();
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;
  #initial = '';
  #tables: string[] = [];
  /** Counts what could have changed a row that the rules are about. */
  writes = 0;
  /** Of these, those by which a match can begin or end. */
  matchWrites = 0;
  statements = 0;
  #sending = 0;
  #hash = createHash('sha1');

  static async open(): Promise<SimulatedDatabase> {
    const database = new SimulatedDatabase(await PGlite.create());
    const pool = database.poolFor(new Life('setup'));
    await migrate(pool, migrations);
    await database.#forgoTheLog();
    // The order of rows must not depend on how often something was asked before.
    await database.look('set plan_cache_mode = force_generic_plan');
    await database.#rememberInitial();
    return database;
  }

  private constructor(engine: PGlite) {
    this.#engine = engine;
  }

  /** The database as one process sees it. */
  poolFor(life: Life, breaks: Break[] = []): Pool {
    const session: Session = { life, breaks };
    const pool: Pool = {
      options: {},
      connect: () => this.#connect(session),
      query: <R = Row>(text: string, values?: readonly unknown[]) => queryOnce<R>(pool, text, values),
      end: () => Promise.resolve(),
    };
    return pool;
  }

  dbFor(life: Life, breaks: Break[] = []): Db {
    return createDb(this.poolFor(life, breaks));
  }

  /** Whether a statement is being carried out: that takes real time, in which the virtual one must not go on. */
  get isBusy(): boolean {
    return this.#sending > 0;
  }

  /** Of all statements since the last wipe, with their values and in their order. */
  digest(): string {
    return this.#hash.copy().digest('hex');
  }

  /** As when it was new. */
  async wipe(): Promise<void> {
    this.#hash = createHash('sha1');
    await this.#run(this.#initial, []);
  }

  /** For those who only look on: no process, no turn. */
  async look<R = Row>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    return (await this.#run(text, values)).rows as R[];
  }

  /** Every row of every table as text. */
  async dump(): Promise<string[]> {
    const rows: string[] = [];
    for (const name of this.#tables) {
      const found = await this.look<{ row: string }>(`select t::text as row from ${name} t`);
      rows.push(...found.map(({ row }) => row));
    }
    return rows;
  }

  async #connect(session: Session): Promise<PoolClient> {
    let status: Reply['status'] = 'idle';
    let isOver = false;
    const rollBack = async (): Promise<void> => {
      if (status !== 'idle') await this.#run('ROLLBACK', []).catch(() => undefined);
      status = 'idle';
    };
    const giveUp = (): void => {
      if (isOver) return;
      isOver = true;
      void running.then(rollBack).then(() => this.#passTurn());
    };
    let running: Promise<unknown> = Promise.resolve();
    await session.life.deal(async () => {
      await this.#takeTurn();
      session.life.onDeath(giveUp);
    });
    const execute = async (text: string, values: readonly unknown[]): Promise<QueryResult> => {
      if (isOver) throw new DatabaseLostError('The connection is gone.');
      const broken = session.breaks.shift();
      if (broken === 'before') return this.#lose(giveUp);
      const reply = await this.#send(text, values);
      status = reply.status;
      if (broken === 'after') return this.#lose(giveUp);
      if ('error' in reply) throw reply.error;
      return reply.result;
    };
    return {
      query: ((text: unknown, values: readonly unknown[] = []) => {
        requireSql(text);
        return session.life.deal(() => {
          const result = execute(text, values);
          running = result.catch(() => undefined);
          return result;
        });
      }) as PoolClient['query'],
      release: giveUp,
    };
  }

  /** The server rolls back what was not committed. */
  #lose(giveUp: () => void): never {
    giveUp();
    throw new DatabaseLostError('The connection was cut.');
  }

  async #takeTurn(): Promise<void> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isTaken = true;
  }

  #passTurn(): void {
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
    this.statements += 1;
    if (CHANGES_WHAT_IS_LOOKED_AT.test(text)) this.writes += 1;
    if (CHANGES_A_MATCH.test(text)) this.matchWrites += 1;
    this.#hash.update(this.#shortOf(text)).update(JSON.stringify(values));
    const chunks: Uint8Array[] = [];
    this.#sending += 1;
    try {
      await this.#engine.execProtocolRawStream(this.#encode(text, values), {
        syncToFs: false,
        onRawData: (chunk) => void chunks.push(chunk.slice()),
      });
    } finally {
      this.#sending -= 1;
    }
    const whole = Buffer.concat(chunks);
    const reply = decodeReply(whole.buffer.slice(whole.byteOffset, whole.byteOffset + whole.byteLength));
    if (reply === null) throw new Error('the engine has come apart');
    return reply;
  }

  /** Of the text alone, so that it is the same in every process. */
  #shortOf(text: string): string {
    const known = this.#shorts.get(text);
    if (known !== undefined) return known;
    const short = createHash('sha1').update(text).digest('base64');
    this.#shorts.set(text, short);
    return short;
  }

  #encode(text: string, values: readonly unknown[]): Uint8Array {
    const { serialize } = protocol;
    if (values.length === 0 && /;|^\s*(begin|commit|rollback|create|alter|drop|do)\b/i.test(text)) {
      return serialize.query(text);
    }
    const known = this.#prepared.get(text);
    const name = known ?? `s${this.#prepared.size}`;
    this.#prepared.set(text, name);
    return Buffer.concat([
      ...(known === undefined ? [serialize.parse({ name, text })] : []),
      serialize.bind({ statement: name, values: values.map((value) => prepareValue(value)) }),
      serialize.describe({ type: 'P' }),
      serialize.execute(),
      serialize.sync(),
    ]);
  }

  /** What need not outlive this process needs no write-ahead log, which would grow with every history. */
  async #forgoTheLog(): Promise<void> {
    const tables = async (): Promise<string[]> => {
      const rows = await this.look<{ name: string }>(
        `select relname as name from pg_class where relkind = 'r' and relpersistence = 'p'
          and relnamespace = 'public'::regnamespace order by oid desc`,
      );
      return rows.map(({ name }) => name);
    };
    // What refers to a table has to go before it.
    for (let left = await tables(); left.length > 0; left = await tables()) {
      for (const name of left) await this.look(`alter table ${name} set unlogged`).catch(() => undefined);
    }
  }

  async #rememberInitial(): Promise<void> {
    const tables = await this.look<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'`,
    );
    this.#tables = tables.map(({ name }) => name);
    const status = await this.look<{ row: string }>(
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
