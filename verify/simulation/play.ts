import { runTools } from '../../simulators/meta-graph/tools.ts';
import type { SendResult } from '../../src/server/notifications/channels/channel.ts';
import type { OutgoingMail } from '../../src/server/notifications/channels/email.ts';
import { createTokenCipher } from '../../src/server/secrets.ts';
import { receiveWebhook } from '../../src/server/services/billing/sync.ts';
import { type Random, createRandom } from '../fixtures/random.ts';
import { CAMPAIGNS, USERS, plantFixture } from './history/fixture.ts';
import { Oracle } from './oracle.ts';
import { type Source, Sources } from './sources.ts';
import { SimulatedDatabase } from './world/database.ts';
import {
  type NetworkObserver,
  type ObservedRequest,
  type Network,
  createNetwork,
  describeRequest,
  outsideRequests,
} from './world/network.ts';
import { ENCRYPTION_KEY, JOB_NAMES, Process, READ_SCHEDULES, WARN } from './world/process.ts';
import { type Simulators, createSimulators } from './world/simulators.ts';
import { User } from './world/user.ts';
import { VirtualClock, drain, installVirtualTime } from './world/virtual-time.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export type Harness = Awaited<ReturnType<typeof buildHarness>>;

/** Shared by all histories of one process, since it is slow to create. */
export async function buildHarness() {
  const time = new VirtualClock(0);
  const database = await SimulatedDatabase.open();
  /** Random numbers for the product and its libraries. */
  const random = { current: createRandom('none') };
  installVirtualTime(time, () => random.current);
  return { database, time, cipher: createTokenCipher([ENCRYPTION_KEY]), random };
}

/** One history from its beginning to its end. */
export class Play implements NetworkObserver {
  readonly harness: Harness;
  readonly time: VirtualClock;
  readonly simulators: Simulators;
  readonly network: Network;
  readonly oracle: Oracle;
  readonly users: User[];
  readonly random: Random;
  readonly eventRandom: Random;
  readonly inbox = new Map<string, OutgoingMail>();
  readonly sources: Sources;
  readonly trace: string[] = [];
  processes: Process[] = [];
  #started = 0;
  #seenWrites = -1;
  #mustLook = true;
  #toolWrites = 0;
  #afterRequests: { left: number; isServed: boolean; act: () => void }[] = [];

  constructor(harness: Harness, { seed, startsAt }: { seed: string; startsAt: number }) {
    this.harness = harness;
    this.time = harness.time;
    this.random = createRandom(`${seed}/play`);
    this.eventRandom = this.random.for('happenings');
    harness.random.current = this.random.for('system');
    this.time.startAt(startsAt);
    this.simulators = createSimulators();
    plantFixture(this.simulators.graph, this.random.for('campaigns'));
    this.oracle = new Oracle(harness.database, this.simulators);
    this.oracle.onTrace = (line) => this.note(line);
    this.network = createNetwork(this.time, this.random.for('network'), this.simulators.serve, this);
    this.sources = new Sources(harness.database);
    this.users = USERS.map((who) => new User(who, this.simulators, this.oracle.userRequests));
    globalThis.fetch = ((_address: string, init: RequestInit) =>
      this.#receiveWebhook(init)) as unknown as typeof fetch;
  }

  onSend(observed: ObservedRequest): void {
    this.note(describeRequest(observed));
    this.oracle.onSend(observed);
    this.#mustLook ||= observed.service === 'graph' && observed.request.method !== 'GET';
    this.#count(observed, false);
  }

  onFault(observed: ObservedRequest, isLost: boolean): void {
    this.oracle.onFault(observed, isLost);
  }

  onServed(observed: ObservedRequest): void {
    this.oracle.onServed(observed);
    this.#mustLook ||= observed.service === 'graph' && observed.request.method !== 'GET';
    this.note(`served: ${describeRequest(observed)}`);
    this.#count(observed, true);
  }

  startProcess(): Process {
    this.#started += 1;
    const process = new Process(`process ${this.#started}`, {
      ...{ ...this.harness, network: this.network, adminId: this.users[0]?.who.userId ?? '' },
      deliver: (mail) => this.#deliver(mail),
    });
    this.processes.push(process);
    this.#keepBusy(process);
    return process;
  }

  user(index: number): User {
    return this.users[index] as User;
  }

  campaign(index: number): (typeof CAMPAIGNS)[number] {
    return CAMPAIGNS[index] as (typeof CAMPAIGNS)[number];
  }

  /** Any live process; starts one when there is none. */
  process(index = 0): Process {
    this.processes = this.processes.filter(({ lifetime }) => lifetime.isAlive);
    return this.processes[index % Math.max(1, this.processes.length)] ?? this.startProcess();
  }

  /** Fires everything that is due until then. */
  async runUntil(at: number): Promise<void> {
    await this.step();
    while (this.time.fireNext(at)) await this.step();
    this.time.now = Math.max(this.time.now, at);
  }

  runFor(ms: number): Promise<void> {
    return this.runUntil(this.time.now + ms);
  }

  /** No timer fires during the skip, as when a machine sleeps; due timers fire afterwards. */
  skipTo(at: number): void {
    this.time.now = Math.max(this.time.now, at);
  }

  /** Advances time until the promise settles. */
  async until<T>(promise: Promise<T>): Promise<T> {
    const progress = { isDone: false };
    const done = (): void => void (progress.isDone = true);
    promise.then(done, done);
    for (;;) {
      await this.step();
      if (progress.isDone) return promise;
      if (!this.time.fireNext(this.time.now + HOUR)) throw new Error('it will never be done');
    }
  }

  async step(): Promise<void> {
    await drain();
    this.#runTools();
    const { writes } = this.harness.database;
    if (writes === this.#seenWrites && !this.#mustLook) return;
    await this.oracle.check();
    this.#seenWrites = this.harness.database.writes;
    this.#mustLook = false;
  }

  /** Runs `act` after so many more of the reconciler's requests to Meta are sent, or served. */
  afterRequests(requests: number, isServed: boolean, act: () => void): void {
    this.#afterRequests.push({ left: requests, isServed, act });
  }

  /** Makes a process poll the page soon; usually each polls at its own interval. */
  readPageWithin(ms: number): void {
    const read = () =>
      this.process()
        .observe()
        .catch(() => undefined);
    this.time.after(this.random.whole(0, ms), () => void read());
  }

  /** Again and again, as long as a history has another tool. The task does nothing while no log is due. */
  readSchedulesWithin(ms: number): void {
    const random = this.random.for('schedules');
    const read = (): void => {
      if (this.simulators.graph.state.tools.length === 0) return;
      const process = this.processes.find(({ lifetime }) => lifetime.isAlive);
      void process?.runTask(READ_SCHEDULES).then(() => this.markChanged());
      this.time.after(random.whole(10 * MINUTE, HOUR), read);
    };
    this.time.after(random.whole(0, ms), read);
  }

  /** The source says so from now on. Early warnings follow within this time, and then again and again. */
  async suspect(source: Source, isSuspected: boolean, withinMs: number): Promise<void> {
    const isFirst = !this.sources.areUsed;
    await this.sources.set(source, isSuspected);
    this.time.after(withinMs, () => this.#warn());
    if (!isFirst) return;
    const random = this.random.for('early warnings');
    const again = (): void => {
      this.#warn();
      this.time.after(random.whole(MINUTE, 3 * MINUTE), again);
    };
    again();
  }

  #warn(): void {
    const process = this.processes.find(({ lifetime }) => lifetime.isAlive);
    for (const name of WARN) void process?.runTask(name);
  }

  /** Cancels every fault and event that is still pending. */
  clearFaults(): void {
    this.#afterRequests = [];
    this.network.orders = [];
    for (const { breaks, lifetime } of this.processes) {
      breaks.length = 0;
      lifetime.cancelEnd();
    }
  }

  /** Meta's state has changed without a request of the product. */
  markChanged(): void {
    this.#mustLook = true;
  }

  note(line: string): void {
    this.trace.push(`${new Date(this.time.now).toISOString()} ${line}`);
  }

  /** Also before the next request of the product would do it. */
  #runTools(): void {
    const { state } = this.simulators.graph;
    runTools(state);
    this.#mustLook ||= state.tools.length > 0 && state.writes.length !== this.#toolWrites;
    this.#toolWrites = state.writes.length;
  }

  #count(observed: ObservedRequest, isServed: boolean): void {
    if (observed.service !== 'graph' || observed.isManual) return;
    for (const one of this.#afterRequests) if (one.isServed === isServed) one.left -= 1;
    const due = this.#afterRequests.filter(({ left }) => left <= 0);
    this.#afterRequests = this.#afterRequests.filter(({ left }) => left > 0);
    for (const { act } of due) outsideRequests(act);
  }

  /** Polls the status page, sends emails and runs scheduled tasks at random intervals. */
  #keepBusy(process: Process): void {
    const random = this.random.for(`task of ${process.name}`);
    const every = (least: number, most: number, run: () => Promise<void>): void => {
      const later = (ms: number): void => {
        process.deps.clock.after(ms, () => {
          const again = (): void => later(random.whole(least, most));
          run().then(again, again);
        });
      };
      later(random.whole(0, 2000));
    };
    every(3 * MINUTE, 5 * MINUTE, () => process.observe());
    every(MINUTE, 6 * MINUTE, () => process.runTask('outbox'));
    every(3 * MINUTE, 15 * MINUTE, () => process.runTask(random.pick(JOB_NAMES)));
  }

  async #deliver(mail: OutgoingMail): Promise<SendResult> {
    await this.time.sleep(20);
    this.inbox.set(mail.messageId, mail);
    return { ok: true };
  }

  async #receiveWebhook(init: RequestInit): Promise<object> {
    const { lifetime, deps } = this.process(this.random.whole(0, 3));
    const signature = new Headers(init.headers).get('stripe-signature') ?? '';
    const status = await new Promise<number>((resolve) => {
      const refuse = (): void => resolve(503);
      lifetime.onDeath(refuse);
      const rawBody = Buffer.from(init.body as string);
      receiveWebhook(deps, { rawBody, signature }).then(() => resolve(200), refuse);
    });
    return { status, text: () => Promise.resolve('') };
  }
}
