import type { AppState, AppStateStore, AppStop } from '#core/app-state.ts';
import { APP_OPEN, LONGEST_STOP_MS, PROBE_MS, isNews, isSparing } from '#core/app-state.ts';
import type { Instant } from '#core/time.ts';
import { minutes } from '#core/time.ts';
import { readEntries } from './batch.ts';
import type { GraphCall, GraphClient, GraphResponse, GraphResult } from './client.ts';
import type { PlatformFailure } from './errors.ts';
import { appStopOf, unreadable } from './errors.ts';
import { readAppUsage } from './usage.ts';

interface Deps {
  store: AppStateStore;
  now: () => Instant;
  log: Record<'info' | 'warn' | 'error', (details: object, message: string) => void>;
  /** Called when Meta serves the app again. */
  onOpen: () => void;
}

/** A token that was accepted this long ago says that the app was not blocked. */
const ACCEPTED_MS = minutes(10);

/**
 * Stops the calls of all processes while Meta refuses our app, except one probe a minute. An answer to it about anything
 * else lets all calls pass again.
 */
export class AppGate {
  readonly #deps: Deps;
  #state: AppState = APP_OPEN;
  #accepted: { token: string | undefined; at: Instant } | null = null;
  /** Tokens with which Meta has refused the app since. */
  readonly #refused = new Set<string>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Reads what other processes have found out. */
  async refresh(): Promise<void> {
    const wasStopped = this.stopped() !== null;
    this.#state = await this.#deps.store.read();
    if (wasStopped && this.stopped() === null) this.#deps.onOpen();
  }

  stopped(): AppStop | null {
    return this.#state.stopped;
  }

  /** Pages and background reads use what is stored. */
  isSparing(): boolean {
    return isSparing(this.#state, this.#deps.now());
  }

  /** 0: a call may be sent now. */
  msUntilNextCall(): number {
    const { stopped, probeAt } = this.#state;
    return stopped === null ? 0 : Math.max(0, (probeAt ?? 0) - this.#deps.now());
  }

  /** The same client behind this gate. */
  guard(graph: GraphClient): GraphClient {
    return {
      ...graph,
      call: async (call) => {
        const cause = this.stopped();
        if (cause !== null && !(await this.#takeProbe())) return this.#refuse({}, notSent(cause));
        const response = await graph.call(call);
        const headers = { ...response.headers };
        const failures = answersIn(response, headers).map(refusalOf);
        const refusal = failures.find((failure) => failure !== null) ?? null;
        await this.#note({ call, response, refusal, headers, isProbe: cause !== null }).catch(
          (error: unknown) => this.#deps.log.error({ err: error }, 'the state of the app was not stored'),
        );
        const isWhole = refusal !== null && !failures.includes(null);
        return isWhole && this.stopped() !== null ? this.#refuse(response.headers, refusal) : response;
      },
    };
  }

  async #takeProbe(): Promise<boolean> {
    if (this.msUntilNextCall() > 0) return false;
    const now = this.#deps.now();
    this.#state = { ...this.#state, probeAt: now + PROBE_MS };
    if (await this.#deps.store.takeProbe(now, now + PROBE_MS)) return true;
    await this.refresh();
    return this.stopped() === null;
  }

  async #note({ call, response, refusal, headers, isProbe }: Answered): Promise<void> {
    const { store, log, onOpen } = this.#deps;
    // As it is stored.
    const now = Math.floor(this.#deps.now());
    const { percent, regainMs } = readAppUsage(headers);
    if (percent !== null && isNews(this.#state, percent, now)) {
      this.#state = { ...this.#state, usedPercent: percent, usedAt: now };
      await store.saveUsage(percent, now);
    }
    if (refusal !== null) return this.#stop(call, refusal, { now, regainMs });
    if (response.ok) {
      this.#accepted = { token: call.token, at: now };
      this.#refused.clear();
    } else if (response.failure.code === null) return;
    if (!isProbe) return;
    this.#state = { ...this.#state, stopped: null, probeAt: null, openedAt: now };
    if (await store.open(now)) log.info({}, 'Meta serves our app again');
    onOpen();
  }

  async #stop(
    call: GraphCall,
    failure: PlatformFailure,
    { now, regainMs }: { now: Instant; regainMs: number },
  ): Promise<void> {
    const cause = appStopOf(failure);
    if (cause === null || !this.#isOfApp(cause, call, failure)) return;
    const probeAt = now + Math.min(LONGEST_STOP_MS, Math.max(PROBE_MS, regainMs));
    // The answers to calls that were under way say the same again.
    if (this.stopped() === cause && probeAt < (this.#state.probeAt ?? 0) + PROBE_MS / 2) return;
    const said = failure.saidToUser;
    this.#state = { ...this.#state, stopped: cause, probeAt };
    const isNew = await this.#deps.store.stop({ cause, said, probeAt }, now);
    if (isNew) this.#deps.log.warn({ cause, code: failure.code, said }, 'Meta refuses our app');
  }

  /**
   * A limit is the app's. Meta may refuse inspections only. A block may concern one user only, unless other tokens are
   * refused, too, or were not accepted lately.
   */
  #isOfApp(cause: AppStop, { token, countsForBreaker }: GraphCall, failure: PlatformFailure): boolean {
    if (cause === 'limited') return true;
    if (countsForBreaker?.(failure) === false) return false;
    if (token === undefined || this.stopped() !== null) return true;
    this.#refused.add(token);
    const other = this.#accepted?.token === token ? null : this.#accepted;
    return other === null || this.#refused.size > 1 || this.#deps.now() >= other.at + ACCEPTED_MS;
  }

  #refuse(headers: Record<string, string>, failure: PlatformFailure): GraphResponse {
    return { ok: false, headers, failure: { ...failure, nextProbeInMs: this.msUntilNextCall() } };
  }
}

interface Answered {
  call: GraphCall;
  response: GraphResponse;
  refusal: PlatformFailure | null;
  headers: Record<string, string>;
  isProbe: boolean;
}

function notSent(cause: AppStop): PlatformFailure {
  const kind = cause === 'misconfigured' ? cause : (`app_${cause}` as const);
  return { ...unreadable('not sent: Meta refuses our app', false), kind };
}

/** Of a batch the answers to its operations, whose headers are added. */
function answersIn(response: GraphResponse, headers: Record<string, string>): GraphResult<unknown>[] {
  if (!response.ok || !Array.isArray(response.value)) return [response];
  const entries = readEntries(response.value, response.value.length, headers);
  return entries.ok ? entries.value : [entries];
}

/** Null: the answer is not about our app. */
function refusalOf(answer: GraphResult<unknown>): PlatformFailure | null {
  return !answer.ok && appStopOf(answer.failure) !== null ? answer.failure : null;
}
