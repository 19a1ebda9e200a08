import { once } from 'node:events';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresCluster } from '../dev-postgres/cluster.ts';
import { waitFor } from './wait-for.ts';

type Server = Awaited<ReturnType<PostgresCluster['start']>>;
type Settings = Record<string, string>;

/** A PostgreSQL server of this run, which the run may kill. */
export class OwnPostgres {
  readonly #cluster: PostgresCluster;
  readonly #settings: Settings;
  #server: Server;

  private constructor(cluster: PostgresCluster, settings: Settings, server: Server) {
    this.#cluster = cluster;
    this.#settings = settings;
    this.#server = server;
    process.once('exit', () => this.#server.process.kill('SIGKILL'));
    // Without a handler a signal skips 'exit'.
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => process.exit(128 + constants.signals[signal]));
  }

  /** @param folder PostgreSQL's user must be able to enter it, also when this process runs as root */
  static async start(folder: string, settings: Settings = {}): Promise<OwnPostgres> {
    const cluster = await PostgresCluster.open(folder);
    return new OwnPostgres(cluster, settings, await cluster.start({ settings }));
  }

  get url(): string {
    return this.#cluster.urlOf(this.#server.port);
  }

  /** SIGKILL for the whole server; it comes back on the same port and recovers. */
  async killFor(ms: number): Promise<void> {
    const { port, process: server } = this.#server;
    const exited = once(server, 'exit');
    server.kill('SIGKILL');
    await exited;
    await sleep(ms);
    // Backends of the killed server hold its shared memory until they notice.
    this.#server = await waitFor('PostgreSQL to start', () =>
      this.#cluster.start({ port, settings: this.#settings }).catch(() => null),
    );
  }

  /** The data are not needed afterwards. */
  async stop(): Promise<void> {
    await this.#cluster.stop('immediate');
  }
}
