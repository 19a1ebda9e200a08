import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { signedRequest, Cast } from './cast.ts';
import { faultsOfMemory } from './memory.ts';
import { otherTargets } from './other-targets.ts';
import { Player } from './player.ts';
import type { FuzzRequest } from './request.ts';
import { describeRequest } from './request.ts';
import { Secrets } from './secrets.ts';
import { SlowConnections } from './slow.ts';
import { startStage } from './stage.ts';
import type { Stage } from './stage.ts';
import type { Target } from './targets.ts';
import { contractTargets } from './targets.ts';

export interface FuzzOptions {
  requests: number;
  seed: number;
  /** Only this call or route. */
  only?: string | undefined;
  /** 'target:seed:path': only what a finding said of itself. */
  repeat?: string | undefined;
  databaseUrl: string;
  onProgress?: (report: FuzzReport) => void;
  onFinding?: (finding: Finding) => void;
}

export interface Finding {
  fault: string;
  /** As small as it still fails. */
  request: string;
  /** For --repeat; null: it was not one request's doing. */
  repeat: string | null;
}

export interface FuzzReport {
  requests: number;
  /** By target, then by status; '-' is a connection ended without an answer. */
  statuses: Map<string, Map<string, number>>;
  findings: Finding[];
  slowestMs: number;
  seconds: number;
  heapBytes: number[];
  logLines: number;
}

const CHUNK = 25;
const LANES = 8;
const SWEEP_EVERY = 2000;
const SHRINKS = 80;
const ENOUGH_FINDINGS = 25;

/** What can be asked for by itself. */
export function namesOfTargets(): string[] {
  return [...contractTargets(''), ...otherTargets()].map(({ name }) => name);
}

/** The whole run: product and simulators are started, asked, swept and stopped. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const stage = await startStage(options.databaseUrl);
  try {
    return await new Run(stage, options).go();
  } finally {
    await stage.stop();
  }
}

class Run {
  readonly #stage: Stage;
  readonly #options: FuzzOptions;
  readonly #cast: Cast;
  readonly #player: Player;
  readonly #known = new Set<string>();
  readonly #report: FuzzReport;
  readonly #startedAt = performance.now();
  #lastSweep = 0;
  #pausing: Promise<void> | null = null;

  constructor(stage: Stage, options: FuzzOptions) {
    this.#stage = stage;
    this.#options = options;
    const secrets = new Secrets();
    this.#cast = new Cast(stage.url, stage.simulators, (token) => {
      secrets.add(token);
      stage.tellSecret(token);
    });
    this.#player = new Player(stage, this.#cast, secrets);
    this.#report = {
      requests: 0,
      statuses: new Map(),
      findings: [],
      slowestMs: 0,
      seconds: 0,
      heapBytes: [],
      logLines: 0,
    };
  }

  async go(): Promise<FuzzReport> {
    const slow = new SlowConnections(this.#stage.port);
    await this.#cast.enter();
    const all = [...contractTargets(await this.#deletionCode()), ...otherTargets()];
    if (this.#options.repeat !== undefined) await this.#repeat(all, this.#options.repeat);
    else await this.#fuzzAll(this.#choose(all));
    await this.#sweep();
    for (const fault of faultsOfMemory(this.#report.heapBytes, this.#report.requests))
      this.#found({ fault, request: '(all together)', repeat: null });
    for (const fault of slow.end()) this.#found({ fault, request: '(a slow one)', repeat: null });
    this.#report.seconds = (performance.now() - this.#startedAt) / 1000;
    return this.#report;
  }

  #choose(all: Target[]): Target[] {
    const { only } = this.#options;
    if (only === undefined) return all;
    const chosen = all.filter(({ name }) => name === only);
    if (chosen.length === 0)
      throw new Error(`There is no ${only}. There are: ${all.map(({ name }) => name).join(', ')}`);
    return chosen;
  }

  /** Several at a time, each with requests of one target one after the other. */
  async #fuzzAll(targets: Target[]): Promise<void> {
    const order = inAnyOrder(targets, this.#options.seed);
    let next = 0;
    const lane = async (): Promise<void> => {
      while (
        this.#report.requests < this.#options.requests &&
        this.#report.findings.length < ENOUGH_FINDINGS
      ) {
        const number = next;
        next += 1;
        const target = order[number % order.length];
        if (target === undefined) return;
        await this.#pausing;
        await this.#chunk(target, seedOf(this.#options.seed, target.name, number));
        if (this.#report.requests - this.#lastSweep >= SWEEP_EVERY) {
          this.#lastSweep = this.#report.requests;
          await (this.#pausing = this.#sweep());
          this.#pausing = null;
        }
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }

  async #chunk(target: Target, seed: number, path?: string): Promise<void> {
    let failures = 0;
    const property = fc.asyncProperty(target.requests, async (request) => {
      // It may fail in a hundred sizes: after so many tries what has been found is small enough.
      if (failures > SHRINKS) return;
      if (failures > 0) failures += 1;
      const faults = await this.#play(request);
      const fresh = faults.filter((fault) => !this.#known.has(nameOf(target.name, fault)));
      if (fresh.length === 0) return;
      failures += 1;
      throw new Error(fresh.join('\n'));
    });
    const result = await fc.check(property, {
      seed,
      numRuns: path === undefined ? CHUNK : 1,
      ...(path === undefined ? {} : { path }),
    });
    if (!result.failed || result.counterexample === null) return;
    const fault =
      result.errorInstance instanceof Error ? result.errorInstance.message : String(result.errorInstance);
    for (const line of fault.split('\n')) this.#known.add(nameOf(target.name, line));
    const repeat = `${target.name}:${seed}:${result.counterexamplePath}`;
    this.#found({ fault, request: describeRequest(result.counterexample[0]), repeat });
  }

  async #repeat(all: Target[], what: string): Promise<void> {
    const [name = '', seed = '', ...path] = what.split(':');
    const target = all.find((one) => one.name === name);
    if (target === undefined) throw new Error(`There is no ${name}.`);
    await this.#chunk(target, Number(seed), path.join(':'));
  }

  async #play(request: FuzzRequest): Promise<string[]> {
    const { faults, status, ms } = await this.#player.play(request);
    const counts = this.#report.statuses.get(request.target) ?? new Map<string, number>();
    this.#report.statuses.set(request.target, counts);
    counts.set(String(status ?? '-'), (counts.get(String(status ?? '-')) ?? 0) + 1);
    this.#report.requests += 1;
    this.#report.slowestMs = Math.max(this.#report.slowestMs, ms);
    return faults;
  }

  #found(finding: Finding): void {
    this.#report.findings.push(finding);
    this.#options.onFinding?.(finding);
  }

  /** Looks at what no single request shows, and brings everybody back to where they were. */
  async #sweep(): Promise<void> {
    const { findings, heapBytes, logLines } = await this.#stage.sweep();
    for (const fault of findings) {
      if (this.#known.has(nameOf('', fault))) continue;
      this.#known.add(nameOf('', fault));
      this.#found({ fault, request: '(seen by the product’s process)', repeat: null });
    }
    this.#report.heapBytes.push(heapBytes);
    this.#report.logLines = logLines;
    await this.#cast.bringAllToRole();
    this.#report.seconds = (performance.now() - this.#startedAt) / 1000;
    this.#options.onProgress?.(this.#report);
  }

  /** Of somebody of whom there is nothing to delete. */
  async #deletionCode(): Promise<string> {
    const signed = signedRequest({
      algorithm: 'HMAC-SHA256',
      issued_at: Math.floor(Date.now() / 1000),
      user_id: '7779999998',
    });
    const answer = await fetch(`${this.#stage.url}/auth/facebook/data-deletion`, {
      method: 'POST',
      body: new URLSearchParams({ signed_request: signed }),
    });
    return ((await answer.json()) as { confirmation_code: string }).confirmation_code;
  }
}

/** The same fault in another request is told once: numbers and words of the request do not make it another. */
function nameOf(target: string, fault: string): string {
  return `${target} ${fault.replaceAll(/\d{3,}|req-\w+/g, '#').slice(0, 120)}`;
}

/** Each as often as it weighs, and not always in the same company. */
function inAnyOrder(targets: Target[], seed: number): Target[] {
  return targets
    .flatMap((target) => Array.from({ length: target.weight }, (_, index) => ({ target, index })))
    .map(({ target, index }) => ({ target, place: seedOf(seed, target.name, -1 - index) }))
    .sort((a, b) => a.place - b.place)
    .map(({ target }) => target);
}

function seedOf(seed: number, target: string, chunk: number): number {
  return createHash('sha256').update(`${seed} ${target} ${chunk}`).digest().readInt32BE(0);
}
