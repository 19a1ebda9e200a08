import type { Dice } from './dice.ts';
import type { UnexpectedEnd } from './server-process.ts';
import { ServerProcess } from './server-process.ts';

export interface FleetOptions {
  ports: readonly number[];
  program: readonly string[];
  environment: Record<string, string>;
  logFile: string;
}

/** The one to four processes that are the product, each on a port of its own, and what became of them. */
export class Fleet {
  readonly startTimes: number[] = [];
  readonly unexpectedEnds: UnexpectedEnd[] = [];
  clockOffsetMs = 0;
  kills = 0;
  readonly #options: FleetOptions;
  readonly #running: (ServerProcess | null)[];

  constructor(options: FleetOptions) {
    this.#options = options;
    this.#running = options.ports.map(() => null);
  }

  get size(): number {
    return this.#running.length;
  }

  /** An address at which somebody may answer: the load balancer, if there were one. */
  url(dice?: Dice): string {
    const ready = this.#options.ports.filter((_port, slot) => this.#running[slot]?.isReady === true);
    const among = ready.length === 0 ? this.#options.ports : ready;
    return `http://127.0.0.1:${dice === undefined ? (among[0] ?? 0) : dice.pick(among)}`;
  }

  urlOf(slot: number): string {
    return `http://127.0.0.1:${this.#options.ports[slot] ?? 0}`;
  }

  /** Starts one process and does not wait until it is ready. */
  begin(slot: number, more: Record<string, string> = {}): ServerProcess {
    const { program, environment, logFile, ports } = this.#options;
    const own = { PORT: String(ports[slot]), CLOCK_OFFSET_MS: String(this.clockOffsetMs), ...more };
    const process = new ServerProcess({ program, environment: { ...environment, ...own }, logFile });
    this.#running[slot] = process;
    void process.exited.then(() => {
      if (process.unexpectedEnd !== null) this.unexpectedEnds.push(process.unexpectedEnd);
    });
    return process;
  }

  async start(slot: number): Promise<void> {
    const took = await this.begin(slot).ready;
    if (took === null) throw new Error('the product ended while it started; its log says why');
    this.startTimes.push(took);
  }

  async startAll(): Promise<void> {
    // One after the other, as a careful deployment would: the first brings the tables up to date.
    for (let slot = 0; slot < this.size; slot += 1) await this.start(slot);
  }

  process(slot: number): ServerProcess {
    const found = this.#running[slot];
    if (found === null || found === undefined) throw new Error('that process was never started');
    return found;
  }

  async kill(slot: number): Promise<void> {
    this.kills += 1;
    await this.process(slot).kill();
  }

  /** Starts again whatever has ended by itself, as a service manager would. */
  async restartEnded(): Promise<void> {
    for (let slot = 0; slot < this.size; slot += 1) {
      if (this.process(slot).hasEnded) await this.start(slot);
    }
  }

  async stopAll(): Promise<void> {
    await Promise.all(this.#alive().map((one) => one.stop()));
  }

  async killAll(): Promise<void> {
    await Promise.all(this.#alive().map((one) => one.kill()));
  }

  /** For the end of this program, which waits for nothing. */
  killAtOnce(): void {
    for (const one of this.#alive()) void one.kill();
  }

  setClock(offsetMs: number): void {
    this.clockOffsetMs = offsetMs;
    for (const one of this.#alive()) one.setClock(offsetMs);
  }

  #alive(): ServerProcess[] {
    return this.#running.filter((one): one is ServerProcess => one?.hasEnded === false);
  }
}
