import { execFile, spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { codeOf } from '../../src/server/db/pool.ts';
import { freePort } from '../programs/free-port.ts';
import type { Identity } from './program.ts';
import { giveTo, placeProgram, serverIdentity } from './program.ts';

interface ClusterStart {
  /** Default: any free port. */
  port?: number;
  settings?: Record<string, string>;
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
};
const LOOK_EVERY_MS = 20;
/** Crash recovery can take long; the limit ends one that hangs. */
const READY_WITHIN_MS = 120_000;

/** Another server uses this cluster, or a killed one has not quite ended. */
export class AlreadyRunningError extends Error {
  override readonly name = 'AlreadyRunningError';
}

/** A PostgreSQL database cluster in a folder, with its password and its server log. */
export class PostgresCluster {
  readonly #home: string;
  readonly #data: string;
  readonly #log: string;
  readonly #identity = serverIdentity();
  readonly #bin: string;
  readonly #password: string;

  private constructor(home: string) {
    this.#home = home;
    this.#data = path.join(home, 'data');
    this.#log = path.join(home, 'server.log');
    refuseOtherOwner(this.#data, this.#identity);
    fs.mkdirSync(home, { recursive: true, mode: 0o700 });
    giveTo(this.#identity, home);
    const password = this.#passwordFile;
    writeOnce(password, randomBytes(24).toString('base64url'));
    giveTo(this.#identity, password);
    this.#password = fs.readFileSync(password, 'utf8');
    this.#bin = placeProgram(home, this.#identity);
  }

  /** Opens the cluster in the folder, or creates it. */
  static async open(home: string): Promise<PostgresCluster> {
    const cluster = new PostgresCluster(home);
    if (!fs.existsSync(cluster.#data)) await cluster.#initialise();
    return cluster;
  }

  urlOf(port: number): string {
    return `postgres://postgres:${this.#password}@127.0.0.1:${port}/postgres`;
  }

  /** The content of postmaster.pid; the process may be dead. Null: stopped. */
  get lastServer(): { pid: number; port: number; isReady: boolean } | null {
    try {
      const lines = fs.readFileSync(path.join(this.#data, 'postmaster.pid'), 'utf8').split('\n');
      const [pid, port] = [Number(lines[0]), Number(lines[3])];
      return pid > 0 && port > 0 ? { pid, port, isReady: lines[7]?.trim() === 'ready' } : null;
    } catch {
      return null;
    }
  }

  /**
   * Resolves when the server accepts connections. The server outlives this process unless stopped.
   * @throws AlreadyRunningError
   */
  async start({ port, settings = {} }: ClusterStart = {}): Promise<{ port: number; process: ChildProcess }> {
    const chosen = port ?? (await freePort());
    const process = this.#spawn(chosen, settings);
    if (await this.#waitUntilReady(process)) return { port: chosen, process };
    const said = fs.readFileSync(this.#log, 'utf8').trim();
    if (said.includes('"postmaster.pid" already exists')) throw new AlreadyRunningError(said);
    throw new Error(`PostgreSQL did not start. Its log, ${this.#log}, ends with:\n${said.slice(-1500)}`);
  }

  /**
   * Stops the server, also one that another process started.
   * @param mode `fast` disconnects clients; `immediate` leaves recovery to the next start
   */
  async stop(mode: 'fast' | 'immediate'): Promise<void> {
    await this.#run('pg_ctl', 'stop', '-s', '-w', '-t', '60', '-m', mode, '-D', this.#data);
  }

  #spawn(port: number, settings: Record<string, string>): ChildProcess {
    const args = ['-D', this.#data, '-p', String(port)];
    for (const [name, value] of Object.entries({ ...SETTINGS, ...settings }))
      args.push('-c', `${name}=${value}`);
    const log = fs.openSync(this.#log, 'w', 0o600);
    // Own process group: Ctrl-C reaches only this process, which stops the server after its last statement.
    const options = { ...this.#options, detached: true, stdio: ['ignore', log, log] as StdioOptions };
    const process = spawn(path.join(this.#bin, 'postgres'), args, options);
    process.once('error', () => undefined);
    process.unref();
    fs.closeSync(log);
    return process;
  }

  async #waitUntilReady(process: ChildProcess): Promise<boolean> {
    const until = performance.now() + READY_WITHIN_MS;
    while (performance.now() < until) {
      if (process.pid === undefined || process.exitCode !== null || process.signalCode !== null) return false;
      const server = this.lastServer;
      if (server?.pid === process.pid && server.isReady) return true;
      await sleep(LOOK_EVERY_MS);
    }
    return false;
  }

  /** In another folder first: a killed process leaves no half of a cluster. */
  async #initialise(): Promise<void> {
    const draft = path.join(this.#home, `new-${process.pid}`);
    fs.mkdirSync(draft, { mode: 0o700 });
    giveTo(this.#identity, draft);
    const auth = ['-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${this.#passwordFile}`];
    await this.#run('initdb', '-D', draft, ...auth, '-E', 'UTF8', '--locale=C');
    fs.renameSync(draft, this.#data);
  }

  /** The error of a command that fails contains what it said. */
  async #run(name: string, ...args: string[]): Promise<void> {
    await promisify(execFile)(path.join(this.#bin, name), args, this.#options);
  }

  get #passwordFile(): string {
    return path.join(this.#home, 'password');
  }

  /** Clears the environment: the server must not get our secrets. */
  get #options() {
    return { ...this.#identity, cwd: this.#home, env: { LC_ALL: 'C' } };
  }
}

/** Files of root would lock their user out, and PostgreSQL refuses a folder of another user. */
function refuseOtherOwner(data: string, { uid = process.getuid?.() }: Identity): void {
  const owner = fs.statSync(data, { throwIfNoEntry: false })?.uid;
  if (owner === undefined || uid === undefined || owner === uid) return;
  const home = path.dirname(data);
  throw new Error(
    `${home} belongs to the user with the id ${owner}: run this as that user, or set DATA_DIR.`,
  );
}

/** Writes the file unless it exists. */
export function writeOnce(file: string, content: string): void {
  try {
    fs.writeFileSync(file, content, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}
