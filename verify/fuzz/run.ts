import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { freePort } from '../../scripts/outside/free-port.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { Processes } from '../fixtures/processes.ts';
import type { Environment } from '../fixtures/environment.ts';
import { runQuery, startEnvironment } from '../fixtures/environment.ts';
import type { PlantedFault } from '../fixtures/planted-fault.ts';
import { secretsIn } from '../invariants/secrets.ts';
import type { DatabaseDigest } from './database-digest.ts';
import { changedTables, digestDatabase } from './database-digest.ts';
import type { Exchange } from './response.ts';
import { checkResponse } from './response.ts';
import type { FuzzRequest, Target } from './requests.ts';
import { contractTargets, otherTargets } from './requests.ts';
import { Sessions, idsOf, userOf } from './users.ts';

export interface FuzzOptions {
  requests: number;
  seed: number;
  /** Only this call or route. */
  only?: string | undefined;
  /** Undefined: a PostgreSQL server is started for this run. */
  postgresUrl?: string;
  /** Planted in the product, to see that the run finds it. */
  fault?: PlantedFault;
  onProgress?: (requests: number) => void;
}

export interface FuzzReport {
  requests: number;
  /** By target, then by status. */
  statuses: Map<string, Map<number, number>>;
  findings: string[];
}

const CHUNK = 25;
const PARALLEL = 8;
const SHRINKS = 60;
const ENOUGH_FINDINGS = 25;
const LEASE_MS = 30_000;
const ERROR_LEVEL = 50;
const SHARE_ALONE = 0.1;
const QUIET_WITHIN_MS = 600_000;
/** Their work continues after the response. */
const DELETING = ['deauthorize', 'deleteAccount', 'meta-deauthorize', 'meta-data-deletion'];

export function allTargets(): Target[] {
  return [...contractTargets(), ...otherTargets()];
}

/** Starts the product with its environment, sends the requests, checks responses, log and database. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const environment = await startEnvironment(options.postgresUrl);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const logFile = join(environment.folder, 'log');
  const product = new Processes([port], {
    program: [join(import.meta.dirname, '../fixtures/product.ts'), environment.webFolder, String(LEASE_MS)],
    logFile,
    environment: {
      ...environment.environment,
      PUBLIC_URL: url,
      // Rate limits by address must not stop the run: each request names an address like a trusted proxy.
      TRUST_PROXY: '1',
      ADMIN_PLATFORM_IDS: userOf('boss').id,
      LOG_LEVEL: 'debug',
      ...(options.fault && { PLANTED_FAULT: JSON.stringify(options.fault) }),
    },
  });
  try {
    await product.startAll();
    await environment.simulators.stripe.registerEndpoint(`${url}/webhooks/stripe`);
    const run = new Run(environment, options, url);
    await run.sendAll();
    await product.stopAll();
    run.checkLog(await readFile(logFile, 'utf8'));
    run.report.findings.push(...product.unexpectedEnds.map((end) => `the product ended by itself: ${end}`));
    return run.report;
  } finally {
    await product.killAll();
    await environment.close();
  }
}

class Run {
  readonly report: FuzzReport = { requests: 0, statuses: new Map(), findings: [] };
  readonly #environment: Environment;
  readonly #options: FuzzOptions;
  readonly #url: string;
  readonly #sessions: Sessions;
  /** Kinds of findings, each of which is reported once. */
  readonly #known = new Set<string>();
  /** Set while a request is sent alone. */
  #before: DatabaseDigest | null = null;
  /** Campaigns that their owner asked to pause or resume, or for which SmartPause was turned on. */
  readonly #mayBeWritten = new Set<string>();

  constructor(environment: Environment, options: FuzzOptions, url: string) {
    this.#environment = environment;
    this.#options = options;
    this.#url = url;
    this.#sessions = new Sessions(url);
  }

  async sendAll(): Promise<void> {
    const { requests, seed, only, onProgress = () => undefined } = this.#options;
    const { simulators } = this.#environment;
    await this.#sessions.enter(simulators);
    const targets = allTargets().filter(({ name }) => only === undefined || name === only);
    let next = 0;
    const sendOn = async (): Promise<void> => {
      while (this.report.requests < requests && this.report.findings.length < ENOUGH_FINDINGS) {
        const target = targets[next % targets.length];
        if (target === undefined) return;
        await this.#sendChunk(target, seedOf(`${seed} ${target.name} ${next++}`));
        onProgress(this.report.requests);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, sendOn));
    await this.#sendAlone(targets.filter(({ name }) => !DELETING.includes(name)));
    for (const { campaign, status } of await simulators.graph.writes())
      if (!this.#mayBeWritten.has(campaign))
        this.#find(`${status} was written for ${campaign}, which no request named`);
  }

  checkLog(log: string): void {
    for (const line of log.split('\n').filter((one) => one.startsWith('{'))) {
      const { level, msg, err } = JSON.parse(line) as { level: number; msg: string; err?: { stack: string } };
      if (level >= ERROR_LEVEL) this.#find(`the log has an error: ${msg} ${err?.stack ?? line}`);
    }
    for (const secret of secretsIn(log, this.#secrets)) this.#find(`the log has the secret ${secret}`);
  }

  get #secrets(): string[] {
    return [...this.#environment.secrets, ...this.#sessions.all];
  }

  /** Sends one request at a time: a refused one must not change the database. */
  async #sendAlone(targets: readonly Target[]): Promise<void> {
    const { databaseUrl, simulators } = this.#environment;
    // A webhook that Stripe retries now would count as a change by the refused request.
    await simulators.stripe.holdWebhooks();
    const open = `select 1 from app_user where leaving is not null union all select 1 from notification where sent_at is null
      union all select 1 from manual_change where ended_at is null union all select 1 from hold where state in ('pausing', 'resuming', 'resumed')`;
    const isQuiet = async (): Promise<boolean> => (await runQuery(databaseUrl, open)).length === 0;
    await waitFor('deletions, emails and writes to end', isQuiet, QUIET_WITHIN_MS);
    const count = Math.max(targets.length, Math.ceil(this.#options.requests * SHARE_ALONE));
    for (let n = 0; n < count && this.report.findings.length < ENOUGH_FINDINGS; n += 1) {
      const target = targets[n % targets.length];
      if (target === undefined) return;
      const seed = seedOf(`${this.#options.seed} alone ${n}`);
      const [request] = fc.sample(target.requests, { seed, numRuns: 1 });
      if (request === undefined) continue;
      this.#before = await digestDatabase(databaseUrl);
      for (const wrong of await this.#send(request)) this.#find(`${wrong}\n  ${describe(request)}`);
      this.#before = null;
    }
  }

  async #checkUnchanged(status: number): Promise<string[]> {
    const before = this.#before;
    if (before === null || status < 400 || status >= 500) return [];
    const changed = changedTables(before, await digestDatabase(this.#environment.databaseUrl));
    return changed.map((table) => `refused with ${status}, and ${table} changed`);
  }

  async #sendChunk(target: Target, seed: number): Promise<void> {
    let failures = 0;
    const property = fc.asyncProperty(target.requests, async (request) => {
      if (failures > SHRINKS) return;
      if (failures > 0) failures += 1;
      const wrong = (await this.#send(request)).filter((one) => !this.#known.has(kindOf(target.name, one)));
      if (wrong.length === 0) return;
      failures += 1;
      throw new Error(wrong.join('\n'));
    });
    const result = await fc.check(property, { seed, numRuns: CHUNK });
    if (!result.failed || result.counterexample === null) return;
    const [request] = result.counterexample;
    const wrong = result.errorInstance instanceof Error ? result.errorInstance.message : '';
    for (const one of wrong.split('\n')) this.#known.add(kindOf(target.name, one));
    this.report.findings.push(`${wrong}\n  ${describe(request)}`);
  }

  async #send(request: FuzzRequest): Promise<string[]> {
    const { who, target } = request;
    const token = 'key' in who ? this.#sessions.token(who.key) : null;
    const authorization = 'key' in who ? `Bearer ${token ?? ''}` : who.authorization;
    const headers = {
      ...(request.body === null ? {} : { 'content-type': 'application/json' }),
      ...(authorization === null ? {} : { authorization }),
      ...request.headers,
    };
    this.#note(request);
    const response = await exchange(this.#url, { ...request, headers });
    if (response === null) return [];
    const counts = this.report.statuses.get(target) ?? new Map<number, number>();
    this.report.statuses.set(target, counts.set(response.status, (counts.get(response.status) ?? 0) + 1));
    this.report.requests += 1;
    const sent = `${request.path} ${JSON.stringify(headers)} ${String(request.body)}`;
    // The end of the setup replaces the session: its new token belongs to its owner.
    const renewed =
      target === 'initialize' && response.status === 200 && 'key' in who
        ? (JSON.parse(response.body) as { token: string }).token
        : null;
    const { simulators } = this.#environment;
    const origins = [this.#url, simulators.urls.get('meta-graph') ?? ''];
    const wrong = checkResponse({ request, sent, response, origins, secrets: this.#secrets });
    wrong.push(...(await this.#checkUnchanged(response.status)));
    if (renewed !== null && 'key' in who) this.#sessions.replace(who.key, renewed);
    if (token !== null && 'key' in who && response.status === 401) await this.#sessions.renew(who.key, token);
    return wrong;
  }

  /** Records the user's own ids in the request: writes for them are allowed. */
  #note({ who, path }: FuzzRequest): void {
    if (!('key' in who) || !/pause|resume/i.test(path)) return;
    for (const id of idsOf(userOf(who.key))) if (path.includes(id)) this.#mayBeWritten.add(id);
  }

  #find(finding: string): void {
    const kind = kindOf('', finding);
    if (!this.#known.has(kind)) this.report.findings.push(finding);
    this.#known.add(kind);
  }
}

/** Null: Node's client cannot send such a request, or the server closed the connection without a response. */
async function exchange(url: string, { method, path, headers, body }: FuzzRequest): Promise<Exchange | null> {
  try {
    const { port } = new URL(url);
    const sent = http.request({ host: '127.0.0.1', port, method, path, headers, agent: false });
    sent.on('error', () => undefined).end(body ?? undefined);
    const [response] = (await once(sent, 'response')) as [http.IncomingMessage];
    const { statusCode: status = 0, headers: received } = response;
    return { status, headers: received as Record<string, string>, body: await textOf(response) };
  } catch {
    return null;
  }
}

/** Empty for an event stream, which has no end, and for a response that is cut off. */
async function textOf(response: http.IncomingMessage): Promise<string> {
  if (response.headers['content-type']?.startsWith('text/event-stream') === true) response.destroy();
  const body = await buffer(response).catch(() => Buffer.alloc(0));
  const encoding = response.headers['content-encoding'];
  if (body.length === 0) return '';
  if (encoding === 'gzip') return gunzipSync(body).toString();
  return (encoding === 'br' ? brotliDecompressSync(body) : body).toString();
}

function describe({ target, who, method, path, headers, body }: FuzzRequest): string {
  const text = JSON.stringify({ who, headers, body: body === null ? null : String(body) });
  return `${target}: ${method} ${JSON.stringify(path.slice(0, 500))} ${text.slice(0, 1500)}`;
}

/** The same fault in another request is reported once. */
function kindOf(target: string, finding: string): string {
  return `${target} ${finding.replaceAll(/\d{3,}|req-\w+/g, '#').slice(0, 120)}`;
}

function seedOf(text: string): number {
  return createHash('sha256').update(text).digest().readInt32BE(0);
}
