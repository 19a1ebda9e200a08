import type { WorldUser, LeftAlone } from '#core/reconciler/world.ts';
import { newHold } from '#core/reconciler/world.ts';
import type { CampaignWrite, Hold, Target } from '#core/reconciler/hold.ts';
import type { RefusedResume } from '#core/reconciler/refusals.ts';
import { withWish } from '#core/reconciler/manual-write.ts';
import { letsPause } from '#core/settings.ts';
import type { Level, Threshold } from '#core/smartpause/level.ts';
import { meetsThreshold } from '#core/smartpause/level.ts';
import type { StatusReading, StoredStatus } from '#core/smartpause/status-reading.ts';
import { applyReading } from '#core/smartpause/status-reading.ts';
import type { OtherSchedule } from '#core/smartpause/other-schedule.ts';
import { INITIAL_STATUS } from '#core/smartpause/status.ts';
import type { Signal } from '#core/smartpause/signals.ts';
import { isOn as isActing, wordOf } from '#core/smartpause/signals.ts';
import type { Random } from '../fixtures/random.ts';
import { Platform } from './platform.ts';

/** The only campaign of a history. */
export const CAMPAIGN = 'c';
const START = Date.parse('2026-01-09T02:10:00Z');
const MINUTE = 60_000;

/** Other files than those of the level are left out, and a level never gets too old. */
const READINGS = { pollMs: 10_000, staleMs: Infinity };
const NEVER_READ: StoredStatus = {
  ...INITIAL_STATUS,
  ...{ knownTrueLevel: 'UP', message: '', quote: null, checkedAt: null, fileDates: {}, lowerReading: null },
};

/** From when to when a user lets early warnings pause; null: they still do. */
interface Period {
  since: number;
  until: number | null;
}

/** What Meta's status page says, and has said. */
class Page {
  readonly levels: { at: number; level: Level }[] = [{ at: -Infinity, level: 'UP' }];
  /** As readings told: one that is lower counts only with a second one. */
  readonly known: { at: number; level: Level }[] = [];

  readAt(at: number): StatusReading {
    const level = this.levels.findLast((one) => one.at <= at)?.level ?? 'UP';
    const stated = { level, message: '', quote: level === 'UNKNOWN' ? null : level };
    return { ...stated, isIncomplete: false, atLeast: null, dates: { page: at } };
  }

  /** Whether it was known to meet the threshold at any time since then. */
  wasKnownToMeet(threshold: Threshold, since: number): boolean {
    const first = this.known.findLastIndex(({ at }) => at <= since);
    return this.known.slice(Math.max(first, 0)).some(({ level }) => meetsThreshold(level, threshold));
  }

  /** Whether it has met the threshold without a break since then. */
  hasMetSince(since: number, threshold: Threshold): boolean {
    const first = this.levels.findLastIndex(({ at }) => at <= since);
    const known = this.levels.slice(first).filter(({ level }) => level !== 'UNKNOWN');
    return known.length > 0 && known.every(({ level }) => meetsThreshold(level, threshold));
  }
}

/** A campaign on Meta, its two users, and what SmartPause has stored about it. */
export class HistoryState {
  readonly random: Random;
  readonly platform: Platform;
  readonly users: WorldUser[];
  readonly trace: string[] = [];
  /** Of the hold's state, as stored: 'pausing --> paused'. */
  readonly transitions = new Set<string>();
  readonly page = new Page();
  status: StoredStatus = NEVER_READ;
  hold: Hold | null = null;
  write: CampaignWrite | null = null;
  stopTime: number | null = null;
  /** Early warnings that pause, and since and until when users let them. */
  readonly #warned: Signal[] = [];
  readonly #lets = new Map<string, Period[]>();
  /** Of another tool. */
  schedule: OtherSchedule | null = null;
  lookAt: number | null = START;
  /** The last manual change is one of many. */
  isOfMany = false;
  holds = 0;
  /** Meta refused the last resume for good. */
  refused: { userId: string; at: number } | null = null;

  constructor(random: Random) {
    this.random = random;
    this.platform = new Platform(random.for('platform'), START);
    if (random.chance(0.25)) this.#planOtherTool();
    this.readPage();
    this.users = ['a', 'b'].map((id) => this.#user(id));
  }

  /** Another tool has the campaign off for a time, some minutes late or early. It may fail to turn it on again. */
  #planOtherTool(): void {
    const { random } = this;
    const [from, length] = [random.whole(-45, 60), random.whole(31, 75)];
    const [offAt, onAt] = [from, from + length].map((after) => START + after * MINUTE) as [number, number];
    const localMinute = (offAt % (24 * 60 * MINUTE)) / MINUTE;
    const off = [{ weekdays: [0, 1, 2, 3, 4, 5, 6], from: localMinute, minutes: length }];
    this.schedule = { timeZone: 'UTC', off };
    const about = (at: number): number => at + random.whole(-10 * MINUTE, 10 * MINUTE);
    const changes = [{ at: about(offAt), to: 'PAUSED' } as const];
    this.platform.plan(random.chance(0.8) ? [...changes, { at: about(onAt), to: 'ACTIVE' }] : changes);
  }

  #user(id: string): WorldUser {
    const setting = id === 'a' || this.random.chance(0.5) ? 'ON' : 'OFF';
    const isDelayed = this.random.chance(0.5);
    return {
      id,
      threshold: this.random.pick(['LOW', 'MEDIUM', 'HIGH'] as const),
      resume: isDelayed ? { mode: 'delay', delay: { value: 1, unit: 'minutes' } } : { mode: 'instant' },
      mayHold: true,
      hasAccess: true,
      isLeaving: false,
      writesBlockedUntil: null,
      settings: new Map([[CAMPAIGN, { setting, changedAt: START - 1 }]]),
      leftAlone: new Map(),
      refusedResumes: new Map(),
      signals: [],
    };
  }

  get now(): number {
    return this.platform.now;
  }

  say(line: string): void {
    this.trace.push(`${((this.now - START) / 1000).toFixed(1)} ${line}`);
  }

  setLevel(level: Level): void {
    this.page.levels.push({ at: this.now, level });
    this.readPage();
  }

  /** One reading of the status page. @param ageMs of an old copy in a cache */
  readPage(ageMs = 0): void {
    const at = this.now - ageMs;
    const reading = this.page.readAt(at);
    this.status = applyReading(this.status, reading, this.now, READINGS) ?? this.status;
    this.page.known.push({ at: this.now, level: this.status.known });
  }

  /** Stores what became of a change. */
  store(hold: Hold | null, write: CampaignWrite | null): void {
    const stateOf = (one: Hold | null) => (one === null || one.state === 'ended' ? '[*]' : one.state);
    const [from, to] = [stateOf(this.hold), stateOf(hold)];
    if (from === '[*]' && to !== '[*]') this.holds += 1;
    if (hold?.releaseReason === 'resume_refused') this.refused = { userId: hold.userId, at: this.now };
    if (from !== to) this.transitions.add(`${from} --> ${to}`);
    // It is stored beside the hold, also while a write of the hold is sent.
    const resumeAsked = this.hold?.resumeAsked ?? null;
    this.hold = hold === null || to === '[*]' ? null : { ...hold, resumeAsked };
    this.write = write;
  }

  /** What is stored of it; null: Meta did not refuse a resume to this user. */
  refusedResumeOf(user: WorldUser): RefusedResume | null {
    const { refused, write, stopTime, platform } = this;
    if (refused?.userId !== user.id) return null;
    const changedOutsideAt = platform.changes.findLast(({ isOurs }) => !isOurs)?.at ?? null;
    const since = { confirmedAt: write?.confirmed?.at ?? null, changedOutsideAt, turnedAt: changedAt(user) };
    return { campaignId: CAMPAIGN, at: refused.at, ...since, stopTime };
  }

  /** @returns whether a live test begins */
  startTest(user: WorldUser): boolean {
    const { hold, write, platform } = this;
    const isBusy =
      write !== null && (write.state === 'open' || (write.unansweredUntil ?? write.wanted) !== null);
    if (hold !== null || isBusy || this.status.effective !== 'UP') return false;
    if (!user.mayHold || !user.hasAccess) return false;
    if (platform.status !== 'ACTIVE' || platform.gone !== null || platform.isAway) return false;
    const world = { status: this.status, readAt: this.now };
    this.store(newHold(world, user, this.now, this.now + 60_000), write);
    this.say(`live test of ${user.id}`);
    return true;
  }

  /** As stored: a second press while it is on, or its end, changes only the end. */
  sayAll(user: WorldUser, until: number | null): void {
    const on = wordOf(user.signals, this.now);
    const said: Signal = { source: 'user', since: on?.since ?? this.now, until };
    user.signals = [...user.signals.filter((one) => one !== on), said];
  }

  /** An early warning that pauses begins, or ends then. */
  warn(until: number | null): void {
    const on = this.#warned.find((one) => isActing(one, this.now));
    if (on !== undefined) this.#warned[this.#warned.indexOf(on)] = { ...on, until };
    else if (until === null) this.#warned.push({ source: 'early_warning', since: this.now, until });
    for (const user of this.users) this.#readWarnings(user);
  }

  choose(user: WorldUser, isWanted: boolean): void {
    const lets = this.#lets.get(user.id) ?? [];
    const last = lets.at(-1) ?? { since: null, until: null };
    const before = { letsPauseSince: last.since, letsPauseUntil: last.until };
    const earlyWarning = last.since !== null && last.until === null ? 'pause' : 'official';
    const after = letsPause({ ...before, earlyWarning }, isWanted ? 'pause' : 'official', this.now);
    const { letsPauseSince: since, letsPauseUntil: until } = after;
    const earlier = since === last.since ? lets.slice(0, -1) : lets;
    this.#lets.set(user.id, since === null ? [] : [...earlier, { since, until }]);
    this.#readWarnings(user);
  }

  /** Early warnings are signals of a user while they let them pause. */
  #readWarnings(user: WorldUser): void {
    const words = user.signals.filter(({ source }) => source === 'user');
    const warnings = this.#warned.flatMap((one) =>
      (this.#lets.get(user.id) ?? []).map((lets): Signal => {
        const until = Math.min(one.until ?? Infinity, lets.until ?? Infinity);
        const since = Math.max(one.since, lets.since);
        return { ...one, since, until: until === Infinity ? null : until };
      }),
    );
    user.signals = [...words, ...warnings.filter(({ since, until }) => (until ?? Infinity) > since)];
  }

  get #isWished(): boolean {
    return this.write?.wanted != null || (this.write?.origin === 'manual' && this.write.state === 'open');
  }

  /** @returns false: there is no hold, or a wish or a test */
  askResume(by: string): boolean {
    const { hold, now } = this;
    if (hold === null || hold.testUntil !== null || this.#isWished) return false;
    const resumeAsked = hold.resumeAsked ?? { by, at: now };
    this.hold = { ...hold, resumeAsked, refusal: null };
    const { write } = this;
    if (write?.state === 'open' && write.target === 'ACTIVE' && write.unansweredUntil === null) {
      const plannedRetryAt = write.plannedRetryAt ?? Math.max(write.retryAt ?? 0, now);
      this.write = { ...write, retryAt: resumeAsked.at, plannedRetryAt };
    }
    return true;
  }

  /** @returns when the write was due before; null: it is not one that Meta refuses to this user */
  retryNow(user: WorldUser): number | null {
    const { write, now } = this;
    if (write?.state !== 'open' || write.origin === 'manual' || write.unansweredUntil !== null) return null;
    const { writesBlockedUntil: blockedUntil } = user;
    const isRefused = write.refusals > 0 || blockedUntil !== null;
    if (write.requestedBy !== user.id || !user.hasAccess || !isRefused) return null;
    const dueAt = Math.max(write.retryAt ?? 0, blockedUntil ?? 0, now);
    this.write = { ...write, retryAt: now, plannedRetryAt: write.plannedRetryAt ?? dueAt };
    if (blockedUntil !== null) user.writesBlockedUntil = Math.min(blockedUntil, now);
    return dueAt;
  }

  /**
   * Deletes the account of a user who leaves, with the wish of theirs, and their write unless it goes to another user.
   * @returns whether there was a wish; null: a hold or a write is in progress, or there is no other user
   */
  deleteAccount({ id }: WorldUser): boolean | null {
    const { hold, write, users, now } = this;
    const isOwn = write?.requestedBy === id;
    const isSending = isOwn && (write.state === 'open' || (write.unansweredUntil ?? 0) > now);
    if (users.length === 1 || hold?.userId === id || isSending) return null;
    users.splice(
      users.findIndex((user) => user.id === id),
      1,
    );
    const wanted = write?.wanted ?? null;
    const kept = wanted?.userId === id ? null : wanted;
    const heir = users.find(
      (user) => user.id === hold?.userId || user.settings.get(CAMPAIGN)?.setting === 'ON',
    );
    const requestedBy = isOwn ? heir?.id : write?.requestedBy;
    if (write !== null && requestedBy !== undefined) this.write = { ...write, requestedBy, wanted: kept };
    else this.write = kept && withWish(null, kept);
    return kept !== wanted;
  }

  /** @returns whether the user had asked for the resume */
  takeBackResume(by: string): boolean {
    if (this.hold?.resumeAsked?.by !== by) return false;
    this.hold = { ...this.hold, resumeAsked: null };
    return true;
  }

  /** @returns false while another wish is pending */
  wish(userId: string, status: Target): boolean {
    if (this.#isWished) return false;
    this.write = withWish(this.write, { userId, status, requestedAt: this.now });
    return true;
  }
}

export function changedAt(user: WorldUser): number {
  return user.settings.get(CAMPAIGN)?.changedAt ?? 0;
}

/** The user leaves, and nothing of theirs can be resumed. */
export function isAbandoned({ isLeaving, hasAccess, writesBlockedUntil }: WorldUser, now: number): boolean {
  return isLeaving && (!hasAccess || (writesBlockedUntil ?? 0) > now);
}

export function deactivate(user: WorldUser, now: number): void {
  user.settings = new Map([[CAMPAIGN, { setting: 'DEACTIVATED', changedAt: now }]]);
}

export function leaveAlone(users: readonly WorldUser[], left: LeftAlone): void {
  for (const user of users) user.leftAlone = new Map([[CAMPAIGN, left]]);
}
