import pg from 'pg';
import { PostgresCluster } from '../../src/server/db/embedded/cluster.ts';
import { waitFor } from './wait-for.ts';

/** As `pg_ctl stop` does it: clients are sent away; or as if the power had gone. */
export type Ending = 'fast' | 'immediate' | 'SIGKILL';

type Server = Awaited<ReturnType<PostgresCluster['start']>>;

/** A PostgreSQL of this run's own, which can be ended in every way and started again on the same port. */
export class OwnPostgres {
  readonly port: number;
  readonly #cluster: PostgresCluster;
  #server: Server;

  private constructor(cluster: PostgresCluster, server: Server) {
    this.#cluster = cluster;
    this.#server = server;
    this.port = server.port;
    process.once('exit', () => this.#server.process.kill('SIGKILL'));
  }

  /** @param folder which PostgreSQL's user can reach, also when this runs as root */
  static async start(folder: string): Promise<OwnPostgres> {
    const cluster = await PostgresCluster.open(folder);
    return new OwnPostgres(cluster, await cluster.start());
  }

  get url(): string {
    return this.urlOf('postgres');
  }

  get password(): string {
    return this.#cluster.password;
  }

  get isRunning(): boolean {
    const { exitCode, signalCode } = this.#server.process;
    return exitCode === null && signalCode === null;
  }

  /** Right after a kill the dead server's children may still hold its memory: then once more. */
  async startAgain(): Promise<void> {
    this.#server = await waitFor('PostgreSQL to start', () =>
      this.#cluster.start({ port: this.port }).catch(() => null),
    );
  }

  async end(how: Ending): Promise<void> {
    if (!this.isRunning) return;
    const { process } = this.#server;
    const exited = new Promise((resolve) => process.once('exit', resolve));
    if (how === 'SIGKILL') process.kill('SIGKILL');
    // A stop that comes while it recovers from a killed process may wait for ever: then as an operator would.
    else await this.#cluster.stop(how).catch(() => this.#cluster.stop('immediate'));
    await exited;
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
    return this.#cluster.urlOf(port, database);
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
