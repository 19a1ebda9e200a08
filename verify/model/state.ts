import type { AccountUser } from '#core/reconciler/account.ts';
import { newHold } from '#core/reconciler/account.ts';
import type { CampaignWrite, Hold, Target } from '#core/reconciler/hold.ts';
import { withWish } from '#core/reconciler/manual-write.ts';
import type { Level } from '#core/smartpause/level.ts';
import { INITIAL_STATUS, nextStatus } from '#core/smartpause/status.ts';
import type { Random } from '../fixtures/random.ts';
import { Platform } from './platform.ts';

/** The only campaign of a history. */
export const CAMPAIGN = 'c';
const START = Date.parse('2026-01-09T02:10:00Z');

/** A campaign on Meta, its two users, and what SmartPause has stored about it. */
export class HistoryState {
  readonly random: Random;
  readonly platform: Platform;
  readonly users: AccountUser[];
  readonly trace: string[] = [];
  /** Of the hold's state, as stored: 'pausing --> paused'. */
  readonly transitions = new Set<string>();
  status = nextStatus(INITIAL_STATUS, { trueLevel: 'UP' }, START);
  hold: Hold | null = null;
  write: CampaignWrite | null = null;
  stopTime: number | null = null;
  lookAt: number | null = START;
  holds = 0;

  constructor(random: Random) {
    this.random = random;
    this.platform = new Platform(random.for('platform'), START);
    this.users = ['a', 'b'].map((id) => this.#user(id));
  }

  #user(id: string): AccountUser {
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
      refusedPauses: new Map(),
    };
  }

  get now(): number {
    return this.platform.now;
  }

  say(line: string): void {
    this.trace.push(`${((this.now - START) / 1000).toFixed(1)} ${line}`);
  }

  setLevel(level: Level): void {
    this.status = nextStatus(this.status, { trueLevel: level }, this.now);
  }

  /** Stores what became of a change. */
  store(hold: Hold | null, write: CampaignWrite | null): void {
    const stateOf = (one: Hold | null) => (one === null || one.state === 'ended' ? '[*]' : one.state);
    const [from, to] = [stateOf(this.hold), stateOf(hold)];
    if (from === '[*]' && to !== '[*]') this.holds += 1;
    if (from !== to) this.transitions.add(`${from} --> ${to}`);
    this.hold = to === '[*]' ? null : hold;
    this.write = write;
  }

  /** @returns whether a live test begins */
  startTest(user: AccountUser): boolean {
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

  /** @returns false while another wish is pending */
  wish(userId: string, status: Target): boolean {
    const isPending =
      this.write?.wanted != null || (this.write?.origin === 'manual' && this.write.state === 'open');
    if (isPending) return false;
    this.write = withWish(this.write, { userId, status, requestedAt: this.now });
    return true;
  }
}
