import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../pool/pool.ts';
import { giveTo, serverIdentity } from './identity.ts';
import type { Identity } from './identity.ts';
import { placeProgram } from './program.ts';

interface ClusterStart {
  /** Default: any free port. */
  port?: number;
  settings?: Record<string, string>;
}

interface RunningServer {
  pid: number;
  port: number;
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
const STOP_WITHIN_S = 60;
const PORT_TRIES = 3;

/** Another server uses this cluster, or a killed one has not quite ended. */
export class AlreadyRunningError extends Error {
  override readonly name = 'AlreadyRunningError';
}

/** A PostgreSQL database cluster in a folder, with its password and its server log. */
export class PostgresCluster {
  readonly home: string;
  readonly bin: string;
  readonly password: string;
  readonly #data: string;
  readonly #log: string;
  readonly #identity: Identity;

  private constructor(home: string, bin: string, password: string) {
    this.home = home;
    this.bin = bin;
    this.password = password;
    this.#data = path.join(home, 'data');
    this.#log = path.join(home, 'server.log');
    this.#identity = serverIdentity();
  }

  /** Opens the cluster in the folder, or creates it. */
  static async open(home: string): Promise<PostgresCluster> {
    const identity = serverIdentity();
    fs.mkdirSync(home, { recursive: true, mode: 0o700 });
    giveTo(identity, home);
    const bin = placeProgram(home, identity);
    const passwordFile = path.join(home, 'password');
    writeOnce(passwordFile, randomBytes(24).toString('base64url'));
    giveTo(identity, passwordFile);
    const cluster = new PostgresCluster(home, bin, fs.readFileSync(passwordFile, 'utf8'));
    if (!PostgresCluster.isIn(home)) await cluster.#initialise(passwordFile);
    await cluster.#requireSameMajor();
    return cluster;
  }

  static isIn(home: string): boolean {
    return fs.existsSync(path.join(home, 'data', 'PG_VERSION'));
  }

  urlOf(port: number, database = 'postgres'): string {
    return `postgres://postgres:${this.password}@127.0.0.1:${port}/${database}`;
  }

  /** The content of postmaster.pid; the process may be dead. Null: stopped. */
  get lastServer(): (RunningServer & { isReady: boolean }) | null {
    try {
      const lines = fs.readFileSync(path.join(this.#data, 'postmaster.pid'), 'utf8').split('\n');
      const [pid, port] = [Number(lines[0]), Number(lines[3])];
      return pid > 0 && port > 0 ? { pid, port, isReady: lines[7]?.trim() === 'ready' } : null;
    } catch {
      return null;
    }
  }

  /** Resolves when the server accepts connections. The server outlives this process unless stopped. */
  async start({ port, settings = {} }: ClusterStart = {}): Promise<
    RunningServer & { process: ChildProcess }
  > {
    for (let tries = 1; ; tries += 1) {
      const chosen = port ?? (await freePort());
      const process = this.#spawn(chosen, settings);
      const isReady = await this.#waitUntilReady(process);
      if (isReady) return { pid: process.pid ?? 0, port: chosen, process };
      const said = fs.readFileSync(this.#log, 'utf8').trim();
      if (said.includes('"postmaster.pid" already exists')) throw new AlreadyRunningError(said);
      const isPortTaken = said.includes('could not bind');
      if (port !== undefined || !isPortTaken || tries === PORT_TRIES) {
        throw new Error(`PostgreSQL did not start. Its log, ${this.#log}, ends with:\n${said.slice(-1500)}`);
      }
    }
  }

  /**
   * Stops the server, also one that another process started.
   * @param mode `fast` disconnects clients; `immediate` leaves recovery to the next start
   */
  async stop(mode: 'fast' | 'immediate'): Promise<void> {
    const wait = ['-s', '-w', '-t', String(STOP_WITHIN_S)];
    await this.#run('pg_ctl', ['stop', ...wait, '-m', mode, '-D', this.#data]);
  }

  #spawn(port: number, settings: Record<string, string>): ChildProcess {
    const args = ['-D', this.#data, '-p', String(port)];
    for (const [name, value] of Object.entries({ ...SETTINGS, ...settings }))
      args.push('-c', `${name}=${value}`);
    const log = fs.openSync(this.#log, 'w', 0o600);
    try {
      // Own process group: Ctrl-C reaches only this process, which stops the server after its last statement.
      const options = { ...this.#options(), detached: true, stdio: ['ignore', log, log] as StdioOptions };
      const process = spawn(path.join(this.bin, 'postgres'), args, options);
      process.once('error', () => undefined);
      process.unref();
      return process;
    } finally {
      fs.closeSync(log);
    }
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

  async #initialise(passwordFile: string): Promise<void> {
    const draft = path.join(this.home, `new-${process.pid}`);
    fs.rmSync(draft, { recursive: true, force: true });
    fs.mkdirSync(draft, { mode: 0o700 });
    giveTo(this.#identity, draft);
    const auth = ['-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
    await this.#run('initdb', ['-D', draft, ...auth, '-E', 'UTF8', '--locale=C']);
    try {
      fs.renameSync(draft, this.#data);
    } catch (error) {
      // Another process created the cluster first.
      fs.rmSync(draft, { recursive: true, force: true });
      if (!PostgresCluster.isIn(this.home)) throw error;
    }
  }

  async #requireSameMajor(): Promise<void> {
    const written = fs.readFileSync(path.join(this.#data, 'PG_VERSION'), 'utf8').trim();
    const said = await this.#run('postgres', ['--version']);
    const major = / (\d+)/.exec(said)?.[1];
    if (written === major) return;
    throw new Error(
      `The database in ${this.home} was written by PostgreSQL ${written}, and this version of SmartPause brings PostgreSQL ${major ?? '?'}: ` +
        'move the folder away to start with an empty database, or start the version that wrote it.',
    );
  }

  /** Resolves with the output of the program. */
  async #run(name: string, args: string[]): Promise<string> {
    const child = spawn(path.join(this.bin, name), args, {
      ...this.#options(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => said.push(text.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`${name} failed: ${said.join('').trim()}`);
    return said.join('');
  }

  /** Clears the environment: the server must not get our secrets. */
  #options() {
    return { ...this.#identity, cwd: this.home, env: { LC_ALL: 'C' } };
  }
}

function writeOnce(file: string, content: string): void {
  try {
    fs.writeFileSync(file, content, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
