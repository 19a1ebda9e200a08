import { Worker } from 'node:worker_threads';
import { DatabaseLostError } from './pool.ts';

export interface WorkerSettings {
  /** Null: in memory. */
  folder: string | null;
  isNew: boolean;
  restoreFrom?: string | undefined;
  fsyncs: SharedArrayBuffer;
}

export type WorkerRequest =
  | { kind: 'query'; id: number; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'dump'; id: number; file: string }
  | { kind: 'close'; id: number };

export type WorkerReply =
  | { kind: 'ready' }
  | { kind: 'done'; id: number; bytes: ArrayBuffer }
  | { kind: 'lost'; reason: string; lastWords: string };

interface Pending {
  resolve: (bytes: ArrayBuffer) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

/** One life of the thread that runs PGlite. When it is lost it stays lost; the pool starts another. */
export class PgliteThread {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  readonly #ready = Promise.withResolvers<undefined>();
  readonly #exited = Promise.withResolvers<undefined>();
  #lastId = 0;
  #lost: DatabaseLostError | undefined;

  static async start(settings: WorkerSettings): Promise<PgliteThread> {
    const thread = new PgliteThread(settings);
    try {
      await thread.#ready.promise;
    } catch (error) {
      await thread.#exited.promise;
      throw error;
    }
    return thread;
  }

  private constructor(settings: WorkerSettings) {
    this.#worker = new Worker(new URL('./pglite-worker.ts', import.meta.url), {
      workerData: settings,
      execArgv: [],
      name: 'pglite',
    });
    this.#worker.on('message', (reply: WorkerReply) => this.#receive(reply));
    this.#worker.on('error', (error) => this.#lose(error instanceof Error ? error.message : String(error)));
    this.#worker.on('exit', () => {
      this.#lose('its thread ended');
      this.#exited.resolve(undefined);
    });
  }

  get lost(): DatabaseLostError | undefined {
    return this.#lost;
  }

  get exited(): Promise<undefined> {
    return this.#exited.promise;
  }

  query(bytes: Uint8Array<ArrayBuffer>, timeoutMs: number): Promise<ArrayBuffer> {
    return this.#request((id) => ({ kind: 'query', id, bytes }), timeoutMs, [bytes.buffer]);
  }

  async dump(file: string): Promise<void> {
    await this.#request((id) => ({ kind: 'dump', id, file }), 60_000);
  }

  async close(timeoutMs: number): Promise<void> {
    if (this.#lost === undefined) await this.#request((id) => ({ kind: 'close', id }), timeoutMs);
    await this.#exited.promise;
  }

  /** The only way to stop a statement that does not end: PGlite knows no statement_timeout. */
  abandon(reason: string): DatabaseLostError {
    const lost = this.#lose(reason);
    void this.#worker.terminate();
    return lost;
  }

  #request(make: (id: number) => WorkerRequest, timeoutMs: number, transfer: ArrayBuffer[] = []) {
    if (this.#lost !== undefined) return Promise.reject(this.#lost);
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<ArrayBuffer>();
    const timer = setTimeout(() => {
      this.abandon(`a statement did not end within ${timeoutMs / 1000} s and was stopped`);
    }, timeoutMs);
    this.#pending.set(id, { resolve, reject, timer });
    this.#worker.postMessage(make(id), transfer);
    return promise;
  }

  #receive(reply: WorkerReply): void {
    if (reply.kind === 'ready') this.#ready.resolve(undefined);
    else if (reply.kind === 'lost') this.#lose(reply.reason, reply.lastWords);
    else this.#settle(reply);
  }

  #settle(reply: { id: number; bytes: ArrayBuffer }): void {
    const pending = this.#pending.get(reply.id);
    if (pending === undefined) return;
    this.#pending.delete(reply.id);
    clearTimeout(pending.timer);
    pending.resolve(reply.bytes);
  }

  #lose(reason: string, lastWords?: string): DatabaseLostError {
    if (this.#lost !== undefined) return this.#lost;
    const lost = new DatabaseLostError(`The embedded database stopped: ${reason}.`, { cause: lastWords });
    this.#lost = lost;
    this.#ready.promise.catch(() => undefined);
    this.#ready.reject(lost);
    for (const { reject, timer } of this.#pending.values()) {
      clearTimeout(timer);
      reject(lost);
    }
    this.#pending.clear();
    return lost;
  }
}
