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

/**
 * The product's own schema in a PGlite of this very process. The engine is one session, which the clients of all
 * simulated processes take in turn; each statement is prepared once and kept from history to history.
 */
export class SimulatedDatabase {
  readonly #engine: PGlite;
  readonly #prepared = new Map<string, string>();
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;
  #initial = '';
  /** Counts what could have changed a row. */
  writes = 0;
  statements = 0;

  static async open(): Promise<SimulatedDatabase> {
    const database = new SimulatedDatabase(await PGlite.create());
    const pool = database.poolFor(new Life('setup'));
    await migrate(
      {
        kind: 'pglite',
        pool,
        exclusive: true,
        listen: () => Promise.reject(new Error()),
        close: () => pool.end(),
      },
      migrations,
    );
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

  /** As when it was new. */
  async wipe(): Promise<void> {
    await this.#run(this.#initial, []);
  }

  /** For those who only look on: no process, no turn. */
  async look<R = Row>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    return (await this.#run(text, values)).rows as R[];
  }

  async #connect(session: Session): Promise<PoolClient> {
    await session.life.deal(() => this.#takeTurn());
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
    session.life.onDeath(giveUp);
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
    if (!/^\s*(select|begin|commit|rollback|start|set)\b/i.test(text)) this.writes += 1;
    const chunks: Uint8Array[] = [];
    await this.#engine.execProtocolRawStream(this.#encode(text, values), {
      syncToFs: false,
      onRawData: (chunk) => void chunks.push(chunk.slice()),
    });
    const whole = Buffer.concat(chunks);
    const reply = decodeReply(
      whole.buffer.slice(whole.byteOffset, whole.byteOffset + whole.byteLength) as ArrayBuffer,
    );
    if (reply === null) throw new Error('the engine has come apart');
    return reply;
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

  async #rememberInitial(): Promise<void> {
    const tables = await this.look<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'`,
    );
    const status = await this.look<{ row: string }>(
      'select row_to_json(s)::text as row from platform_status s',
    );
    const sequences = await this.look<{ name: string }>(
      `select sequencename as name from pg_sequences where schemaname = 'public'`,
    );
    this.#initial = [
      'set session_replication_role = replica',
      ...tables.map(({ name }) => `delete from ${name}`),
      ...status.map(
        ({ row }) =>
          `insert into platform_status select * from json_populate_record(null::platform_status, '${row}')`,
      ),
      ...sequences.map(({ name }) => `select setval('${name}', 1, false)`),
      'set session_replication_role = origin',
    ].join(';');
  }
}
