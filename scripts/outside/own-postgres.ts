import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import pg from 'pg';
import type { PostgresFolder } from './postgres-server.ts';
import { launchPostgres, makePostgresFolder, postgresUrl } from './postgres-server.ts';
import { waitFor } from './wait-for.ts';

/** As `pg_ctl stop` does it: clients are sent away; or as if the power had gone. */
export type Ending = 'fast' | 'immediate' | 'SIGKILL';

const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT', SIGKILL: 'SIGKILL' } as const;
const STOPS_WITHIN_MS = 15_000;
/** What a commit promises must be on the disk here, other than in ordinary tests. */
const DURABLE = { fsync: 'on', full_page_writes: 'on' };

/** A PostgreSQL of this run's own, which can be ended in every way and started again. */
export class OwnPostgres {
  readonly port: number;
  readonly #folder: PostgresFolder;
  #process: ChildProcess | null = null;

  constructor(folder: string, port: number) {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    this.#folder = makePostgresFolder(folder);
    this.port = port;
    process.once('exit', () => this.#process?.kill('SIGKILL'));
  }

  get url(): string {
    return postgresUrl(this.#folder, this.port);
  }

  get password(): string {
    return this.#folder.password;
  }

  get isRunning(): boolean {
    return this.#process !== null && this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Right after a kill the dead server's children may still hold its memory: then once more. */
  async start(): Promise<void> {
    this.#process = await waitFor('PostgreSQL to start', () =>
      launchPostgres(this.#folder, this.port, DURABLE).catch(() => null),
    );
  }

  async end(how: Ending): Promise<void> {
    const process = this.#process;
    if (process === null || !this.isRunning) return;
    const exited = once(process, 'exit');
    process.kill(SIGNALS[how]);
    // A stop that comes while it recovers from a killed process may wait for ever: then as an operator would.
    const impatient = setTimeout(() => process.kill(SIGNALS.immediate), STOPS_WITHIN_MS);
    await exited;
    clearTimeout(impatient);
  }

  /** SIGKILL for one of the processes that serve the product: the server then restarts all of them by itself. */
  async killBackend(): Promise<void> {
    const pid = await this.#ask<{ pid: number }>(
      `select pid from pg_stat_activity where application_name = 'smartpause' limit 1`,
    );
    if (pid[0] !== undefined) process.kill(pid[0].pid, 'SIGKILL');
  }

  async terminateAllConnections(): Promise<number> {
    const rows = await this.#ask(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'smartpause%'`,
    );
    return rows.length;
  }

  /** The next writes need a new file, for which a full disk has no room. */
  async startNewLogSegment(): Promise<void> {
    await this.#ask('select pg_switch_wal()').catch(() => undefined);
  }

  async createDatabase(name: string): Promise<void> {
    await this.#ask(`create database ${name}`);
  }

  urlOf(database: string, port = this.port): string {
    return postgresUrl(this.#folder, port, database);
  }

  async #ask<T extends pg.QueryResultRow>(sql: string): Promise<T[]> {
    const client = new pg.Client(this.url);
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<T>(sql)).rows;
    } finally {
      await client.end();
    }
  }
}
