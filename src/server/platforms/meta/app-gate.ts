import type { AppState, AppStateStore, AppStop } from '#core/app-state.ts';
import { APP_OPEN, LONGEST_STOP_MS, PROBE_MS, isNearLimit, isNews, isSparing } from '#core/app-state.ts';
import type { PlatformFailure } from '#core/platform.ts';
import { unreadable } from '#core/platform.ts';
import type { Instant } from '#core/time.ts';
import { hours, seconds } from '#core/time.ts';
import { readEntries } from './batch.ts';
import type { AppAccess, PlatformResult } from '../platform.ts';
import type { GraphCall, GraphClient, GraphResponse } from './client.ts';
import { readAppUsage } from './usage.ts';

interface Deps {
  store: AppStateStore;
  now: () => Instant;
  log: Record<'info' | 'warn' | 'error', (details: object, message: string) => void>;
  /** Called when Meta serves the app again. */
  onOpen: () => void;
  /** With the app's own token: Meta refuses it as those of users if it blocks the app. */
  appCall: GraphCall;
}

/** A token that Meta refused alone: not the app was blocked. */
interface Suspect {
  refusedAt: Instant;
  /**
   * Whether the block is the user's own. `app_served`: Meta served the app's own token, a minute after the first refusal;
   * it is, until another user meets it. `alone`: the token of another user was accepted since; it counts no more.
   */
  isOwn: 'unknown' | 'app_served' | 'alone';
}

/** After a stop by the app's own token it stops nothing: Meta may refuse it while it serves users. */
const UNASKED_MS = hours(1);
/** A refused call of a page waits for this answer. */
const ASK_TIMEOUT_MS = seconds(5);

/**
 * Stops the calls of all processes while Meta refuses our app, except one probe a minute. An answer to it about anything
 * else lets all calls pass again.
 */
export class AppGate implements AppAccess {
  readonly #deps: Deps;
  #state: AppState = APP_OPEN;
  /** Tokens with which Meta has refused the app, and not accepted since; empty: calls without a token. */
  readonly #suspects = new Map<string, Suspect>();
  /** What Meta last said to the app's own token, which is not asked with again before, and whether that stopped the app. */
  #asApp: AskedAsApp = { said: null, nextAt: 0, hasStopped: false };

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Reads what other processes have found out. */
  async refresh(): Promise<void> {
    const wasStopped = this.stopped() !== null;
    this.#state = await this.#deps.store.read();
    if (!wasStopped || this.stopped() !== null) return;
    this.#forget();
    this.#deps.onOpen();
  }

  #forget(): void {
    this.#suspects.clear();
    const nextAt = this.#asApp.hasStopped ? this.#deps.now() + UNASKED_MS : 0;
    this.#asApp = { said: null, nextAt, hasStopped: false };
  }

  stopped(): AppStop | null {
    return this.#state.stopped;
  }

  isNearLimit(): boolean {
    return isNearLimit(this.#state, this.#deps.now());
  }

  isSparing(): boolean {
    return isSparing(this.#state, this.#deps.now());
  }

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
        const suspects = [...this.#suspects.values()];
        const response = await graph.call(call);
        const headers = { ...response.headers };
        const failures = answersIn(response, headers).map(refusalOf);
        const refusal = failures.find((failure) => failure !== null) ?? null;
        const begins = await this.#note({
          call,
          graph,
          response,
          refusal,
          headers,
          suspects,
          isProbe: cause !== null,
        }).catch((error: unknown) =>
          this.#deps.log.error({ err: error }, 'the state of the app was not stored'),
        );
        if (refusal === null || failures.includes(null)) return response;
        if (this.stopped() === null) return { ...response, ok: false, failure: this.#ofUser(call, refusal) };
        const wasProbe = begins === true || cause !== null;
        return this.#refuse(response.headers, { ...refusal, ...(wasProbe && { wasProbe }) });
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

  /** @returns whether it has stopped the app, or changed the time of the next probe */
  async #note(answered: Answered): Promise<boolean> {
    const { call, response, refusal, headers, suspects, isProbe } = answered;
    const { store, log, onOpen } = this.#deps;
    // As it is stored.
    const now = Math.floor(this.#deps.now());
    const { percent, regainMs } = readAppUsage(headers);
    if (percent !== null && isNews(this.#state, percent, now)) {
      this.#state = { ...this.#state, usedPercent: percent, usedAt: now };
      await store.saveUsage(percent, now);
    }
    if (refusal !== null) return this.#stop(answered, refusal, { now, regainMs });
    if (response.ok && call.token !== undefined) {
      this.#suspects.delete(call.token);
      for (const suspect of suspects) suspect.isOwn = 'alone';
    } else if (!response.ok && response.failure.code === null) return false;
    if (!isProbe) return false;
    this.#forget();
    const openedAt = this.stopped() === 'limited' ? now : null;
    this.#state = { ...this.#state, stopped: null, probeAt: null, openedAt };
    if (await store.open(now)) log.info({}, 'Meta serves our app again');
    onOpen();
    return false;
  }

  async #stop(
    answered: Answered,
    failure: PlatformFailure,
    { now, regainMs }: { now: Instant; regainMs: number },
  ): Promise<boolean> {
    const cause = failure.appStop;
    if (cause === null || !(await this.#isOfApp(cause, answered, failure))) return false;
    const probeAt = now + Math.min(LONGEST_STOP_MS, Math.max(PROBE_MS, regainMs));
    // The answers to calls that were under way say the same again.
    if (this.stopped() === cause && probeAt < (this.#state.probeAt ?? 0) + PROBE_MS / 2) return false;
    const said = failure.saidToUser;
    this.#state = { ...this.#state, stopped: cause, probeAt };
    const isNew = await this.#deps.store.stop({ cause, said, probeAt }, now);
    if (isNew) this.#deps.log.warn({ cause, code: failure.code, said }, 'Meta refuses our app');
    return true;
  }

  /**
   * A limit is the app's. Meta may refuse inspections only. A block may concern one user only, unless a second token is
   * refused, too, that of another user or the app's own, or there is none of another user that could be asked.
   */
  async #isOfApp(cause: AppStop, { call, graph }: Answered, failure: PlatformFailure): Promise<boolean> {
    if (cause === 'limited') return true;
    if (call.countsForBreaker?.(failure) === false) return false;
    if (this.stopped() !== null) return true;
    const token = call.token ?? '';
    const refusedAt = this.#deps.now();
    if (!this.#suspects.has(token)) this.#suspects.set(token, { refusedAt, isOwn: 'unknown' });
    const suspects = [...this.#suspects.values()];
    const alone = suspects.filter(({ isOwn }) => isOwn === 'alone').length;
    const refused = suspects.length - alone;
    if (refused !== 1) return refused > 1;
    if ((await this.#deps.store.countTokens()) <= alone + 1) return true;
    const said = await this.#askAsApp(graph);
    if (said?.ok !== true) {
      this.#asApp.hasStopped = said?.failure.appStop === cause;
      return this.#asApp.hasStopped;
    }
    const suspect = this.#suspects.get(token);
    // Not at once: a block may reach one of Meta's servers before another.
    if (suspect?.isOwn === 'unknown' && refusedAt >= suspect.refusedAt + PROBE_MS)
      suspect.isOwn = 'app_served';
    return false;
  }

  /** With the app's own token; each process asks at most once a minute. */
  async #askAsApp(graph: GraphClient): Promise<GraphResponse | null> {
    const now = this.#deps.now();
    if (now >= this.#asApp.nextAt) {
      const said = graph.call({ ...this.#deps.appCall, timeoutMs: ASK_TIMEOUT_MS });
      this.#asApp = { said, nextAt: now + PROBE_MS, hasStopped: false };
    }
    return this.#asApp.said;
  }

  /** Meta refuses this user, again and while it accepts others. */
  #ofUser({ token = '' }: GraphCall, failure: PlatformFailure): PlatformFailure {
    const { isOwn = 'unknown', refusedAt = 0 } = this.#suspects.get(token) ?? {};
    const isOfUser = isOwn !== 'unknown' && this.#deps.now() >= refusedAt + PROBE_MS;
    return isOfUser && failure.kind === 'app_blocked'
      ? { ...failure, kind: 'permission', appStop: null }
      : failure;
  }

  #refuse(headers: Record<string, string>, failure: PlatformFailure): GraphResponse {
    return { ok: false, headers, failure: { ...failure, nextProbeInMs: this.msUntilNextCall() } };
  }
}

interface AskedAsApp {
  said: Promise<GraphResponse> | null;
  nextAt: Instant;
  hasStopped: boolean;
}

interface Answered {
  call: GraphCall;
  graph: GraphClient;
  response: GraphResponse;
  refusal: PlatformFailure | null;
  headers: Record<string, string>;
  /** When the call was sent. */
  suspects: readonly Suspect[];
  isProbe: boolean;
}

function notSent(cause: AppStop): PlatformFailure {
  const kind = cause === 'misconfigured' ? cause : (`app_${cause}` as const);
  return { ...unreadable('not sent: Meta refuses our app', false), kind, appStop: cause };
}

/** Of a batch the answers to its operations, whose headers are added. */
function answersIn(response: GraphResponse, headers: Record<string, string>): PlatformResult<unknown>[] {
  if (!response.ok || !Array.isArray(response.value)) return [response];
  const entries = readEntries(response.value, response.value.length, headers);
  return entries.ok ? entries.value : [entries];
}

/** Null: the answer is not about our app. */
function refusalOf(answer: PlatformResult<unknown>): PlatformFailure | null {
  return !answer.ok && answer.failure.appStop !== null ? answer.failure : null;
}
