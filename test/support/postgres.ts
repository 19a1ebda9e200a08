import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';
import { PostgresCluster } from '../../scripts/dev-postgres/cluster.ts';
import { makeDataFolder } from './data-folder.ts';
import { waitFor } from '../../scripts/programs/wait-for.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string;
  }
}

/** A commit survives SIGKILL of the server, but need not survive the machine. */
const FAST = { max_connections: '200', fsync: 'off', full_page_writes: 'off' };

type Server = Awaited<ReturnType<PostgresCluster['start']>>;

/** A PostgreSQL server of this run in a folder of its own, which the run may kill. Both end with this process. */
export class OwnPostgres implements AsyncDisposable {
  readonly folder: string;
  readonly #cluster: PostgresCluster;
  readonly #settings: Record<string, string>;
  #server: Server;

  private constructor(
    folder: string,
    cluster: PostgresCluster,
    { settings, server }: { settings: Record<string, string>; server: Server },
  ) {
    this.folder = folder;
    this.#cluster = cluster;
    this.#settings = settings;
    this.#server = server;
    process.once('exit', this.#endAtOnce);
    // Without a handler a signal skips 'exit'.
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => process.exit(128 + constants.signals[signal]));
  }

  static async start(settings: Record<string, string> = FAST): Promise<OwnPostgres> {
    const folder = await makeDataFolder('postgres');
    const cluster = await PostgresCluster.open(join(folder, 'postgres'));
    return new OwnPostgres(folder, cluster, { settings, server: await cluster.start({ settings }) });
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
  async [Symbol.asyncDispose](): Promise<void> {
    process.off('exit', this.#endAtOnce);
    await this.#cluster.stop('immediate');
    this.#removeFolder();
  }

  readonly #endAtOnce = (): void => {
    this.#server.process.kill('SIGQUIT');
    this.#removeFolder();
  };

  /** PostgreSQL may still write its last files, which a removal then leaves behind without an error. */
  #removeFolder(): void {
    for (let tries = 0; tries < 10 && existsSync(this.folder); tries += 1)
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

let ofRun: OwnPostgres | undefined;

/** One server for all tests of a Vitest run. */
export async function setup(project: TestProject): Promise<void> {
  ofRun = await OwnPostgres.start();
  project.provide('postgresUrl', ofRun.url);
}

export async function teardown(): Promise<void> {
  await ofRun?.[Symbol.asyncDispose]();
}
