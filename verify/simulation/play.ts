import type { OutgoingMail, SendResult } from '../../src/server/notifications/channels/email.ts';
import { receiveWebhook } from '../../src/server/services/billing/billing-webhook.ts';
import { notByHand } from './by-hand.ts';
import type { Cast } from './cast.ts';
import { plantCast } from './cast.ts';
import type { Dice } from '../fixtures/dice.ts';
import { createDice } from '../fixtures/dice.ts';
import type { History } from './history.ts';
import { JOB_NAMES } from './history.ts';
import type { Sight } from './network.ts';
import { Network } from './network.ts';
import { Oracle } from './oracle.ts';
import type { Outside } from './outside.ts';
import { createOutside } from './outside.ts';
import { Person } from './person.ts';
import { Process, STALE_MS } from './process.ts';
import type { Stage } from './stage.ts';
import type { VirtualTime } from './virtual-time.ts';
import { BETWEEN, tellRequest } from './telling.ts';
import { settle } from './virtual-time.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** One history from its beginning to its end. */
export class Play {
  readonly stage: Stage;
  readonly cast: Cast;
  readonly outside: Outside;
  readonly network: Network;
  readonly oracle: Oracle;
  readonly people: Person[];
  readonly dice: Dice;
  readonly inbox = new Map<string, { mail: OutgoingMail; times: number }>();
  readonly log: string[] = [];
  readonly trace: string[] = [];
  processes: Process[] = [];
  mailTroubles: ('refused' | 'unanswered')[] = [];
  /** How far clocks were off at most. */
  skewMs = 0;
  steps = 0;
  /** What happened while the engine was busy, and what was paused when nothing went wrong. */
  crossings = 0;
  calmPauses = 0;
  /** How often it was told that nobody knows whether a write was carried out. */
  unknowns = 0;
  #started = 0;
  #seenWrites = -1;
  #mustLook = true;
  #amid: { left: number; isServed: boolean; act: () => void }[] = [];

  constructor(stage: Stage, history: History, cast: Cast) {
    this.stage = stage;
    this.cast = cast;
    this.dice = createDice(`${history.seed}/play`);
    stage.dice.current = this.dice.for('system');
    stage.time.startAt(history.startsAt);
    this.outside = createOutside();
    plantCast(this.outside.graph, cast, this.dice.for('cast'));
    this.network = new Network(stage.time, this.dice.for('network'), this.outside.serve);
    this.oracle = new Oracle({
      database: stage.database,
      now: () => stage.time.now,
      staleMs: STALE_MS,
      skewMs: () => this.skewMs,
      outside: this.outside,
    });
    this.network.onTrouble = ({ place, request }) => {
      if (place === 'status') this.oracle.reading.onBroken();
      if (place === 'graph') this.oracle.onLost(request);
    };
    this.network.onSend = (sight) => {
      this.tell(tellRequest(sight));
      this.oracle.onSend(sight);
      this.#mustLook ||= sight.place === 'graph' && sight.request.method !== 'GET';
      this.#count(sight, false);
    };
    this.network.onServed = (sight) => {
      this.oracle.onServed(sight);
      this.tell(`served: ${tellRequest(sight)}`);
      this.#count(sight, true);
    };
    this.oracle.onTell = (line) => this.tell(line);
    this.people = cast.people.map((who) => new Person(who, this.outside, this.oracle.wishes));
    globalThis.fetch = ((address: string, init: RequestInit) =>
      this.#receiveWebhook(init)) as unknown as typeof fetch;
  }

  get time(): VirtualTime {
    return this.stage.time;
  }

  startProcess(): Process {
    this.#started += 1;
    const { time, database, vault } = this.stage;
    const process = new Process(`process ${this.#started}`, {
      time,
      dice: this.dice,
      database,
      network: this.network,
      vault,
      adminId: this.people[0]?.who.userId ?? '',
      post: (mail) => this.#deliver(mail),
      onLog: (line) => this.log.push(line),
    });
    this.processes.push(process);
    this.#keepBusy(process);
    return process;
  }

  /** Any process that is alive; when none is, one is started. */
  process(index = 0): Process {
    this.processes = this.processes.filter(({ life }) => life.isAlive);
    return this.processes[index % Math.max(1, this.processes.length)] ?? this.startProcess();
  }

  /** Lets everything happen that is due until then. */
  async runUntil(at: number): Promise<void> {
    await this.step();
    while (this.time.ringNext(at)) await this.step();
    this.time.now = Math.max(this.time.now, at);
  }

  /** The whole world stands still meanwhile, as when a machine sleeps; what should have rung rings then. */
  leapTo(at: number): void {
    this.time.now = Math.max(this.time.now, at);
    this.oracle.reading.onBroken();
  }

  /** Goes on until this is done. */
  async until<T>(promise: Promise<T>): Promise<T> {
    const progress = { isDone: false };
    const done = (): void => void (progress.isDone = true);
    promise.then(done, done);
    for (;;) {
      await this.step();
      if (progress.isDone) return promise;
      if (!this.time.ringNext(this.time.now + HOUR)) throw new Error('it will never be done');
    }
  }

  async step(): Promise<void> {
    this.steps += 1;
    do await settle();
    while (this.stage.database.isBusy);
    const { writes } = this.stage.database;
    if (writes === this.#seenWrites && !this.#mustLook) return;
    await this.oracle.look();
    this.#seenWrites = this.stage.database.writes;
    this.#mustLook = false;
  }

  /** Does it as soon as the engine has sent the platform so many more requests, or they are served. */
  amid(requests: number, isServed: boolean, act: () => void): void {
    this.#amid.push({ left: requests, isServed, act });
  }

  /** Processes read the page at times of their own; now and then that is soon. */
  readPageWithin(ms: number): void {
    this.time.after(
      this.dice.whole(0, ms),
      () =>
        void this.process()
          .observe()
          .catch(() => undefined),
    );
  }

  /** What has not come to pass so far never does. */
  calmDown(): void {
    this.#amid = [];
    this.network.calmDown();
    this.mailTroubles = [];
    for (const { breaks, life } of this.processes) {
      breaks.length = 0;
      life.spare();
    }
  }

  #count(sight: Sight, isServed: boolean): void {
    if (sight.place !== 'graph' || sight.isByHand) return;
    for (const one of this.#amid) if (one.isServed === isServed) one.left -= 1;
    const due = this.#amid.filter(({ left }) => left <= 0);
    this.#amid = this.#amid.filter(({ left }) => left > 0);
    this.crossings += due.length;
    for (const { act } of due) notByHand(act);
  }

  /** The platform's side has changed by itself. */
  somethingHappened(): void {
    this.#mustLook = true;
  }

  note(line: string): void {
    this.trace.push(`${new Date(this.time.now).toISOString()} ${line}`);
  }

  /** What came of it in between, for whoever looks at a single history. */
  tell(line: string): void {
    this.note(`${BETWEEN}${line}`);
  }

  /** The status page, the post and the jobs, at times of their own. */
  #keepBusy(process: Process): void {
    const dice = this.dice.for(`rounds of ${process.name}`);
    const every = (least: number, most: number, run: () => Promise<void>): void => {
      const later = (ms: number): void => {
        process.deps.clock.after(ms, () => {
          run().then(
            () => later(dice.whole(least, most)),
            () => later(dice.whole(least, most)),
          );
        });
      };
      later(dice.whole(0, 2000));
    };
    every(3 * MINUTE, 5 * MINUTE, () => process.observe());
    every(MINUTE, 6 * MINUTE, () => process.sendMails());
    every(3 * MINUTE, 15 * MINUTE, () => process.doJob(dice.pick(JOB_NAMES)));
  }

  async #deliver(mail: OutgoingMail): Promise<SendResult> {
    await this.time.sleep(20);
    const trouble = this.mailTroubles.shift();
    if (trouble === 'refused') return { ok: false, error: 'ECONNREFUSED', isPermanent: false };
    const known = this.inbox.get(mail.messageId);
    this.inbox.set(mail.messageId, { mail, times: (known?.times ?? 0) + 1 });
    return trouble === 'unanswered' ? { ok: false, error: 'TOO_SLOW', isPermanent: false } : { ok: true };
  }

  async #receiveWebhook(init: RequestInit): Promise<object> {
    const process = this.process(this.dice.whole(0, 3));
    const signature = new Headers(init.headers).get('stripe-signature') ?? '';
    const rawBody = Buffer.from(init.body as string);
    const died = new Promise<never>((_resolve, reject) =>
      process.life.onDeath(() => reject(new Error('died'))),
    );
    const status = await Promise.race([receiveWebhook(process.deps, { rawBody, signature }), died]).then(
      () => 200,
      () => 503,
    );
    return { status, text: () => Promise.resolve('') };
  }
}
