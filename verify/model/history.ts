import type { World } from '#core/reconciler/world.ts';
import { isOn } from '#core/reconciler/world.ts';
import type { ChangeLog } from '#core/reconciler/change-log.ts';
import { afterAnswer } from '#core/reconciler/decide-campaign.ts';
import type { AccountPlan, CampaignChange } from '#core/reconciler/plan-account.ts';
import { idsToReadById } from '#core/reconciler/missing-campaigns.ts';
import { holderOf, needsReading, planAccount } from '#core/reconciler/plan-account.ts';
import { blockedUntil } from '#core/reconciler/refusals.ts';
import type { Report } from '#core/reconciler/work.ts';
import type { Random } from '../fixtures/random.ts';
import { createRandom } from '../fixtures/random.ts';
import { ACTS, DOUBTFUL_ACTS, MORE_ACTS, WARNINGS, WORDS, resumeNow, toggle } from './people.ts';
import { type Platform, answerOf } from './platform.ts';
import { BLOCK_MS } from './retry-now.ts';
import { Rules } from './rules.ts';
import { CAMPAIGN, HistoryState } from './state.ts';

const CRASHED_MS = 30_000;

/** One random history of one campaign with two users. The same name gives the same history. */
export class History extends HistoryState {
  readonly rules = new Rules(this);
  readonly #acts: typeof ACTS;
  readonly #isDoubtful: boolean;
  /** Null: none of `MORE_ACTS`. */
  readonly #more: Random | null;
  /** Null: none of `WORDS`. */
  readonly #words: Random | null;
  /** Null: none of `WARNINGS`. */
  readonly #warnings: Random | null;
  blockedUntil: number | null = null;

  constructor(name: string) {
    super(createRandom(name));
    const isDoubtful = this.random.chance(0.5);
    this.#isDoubtful = isDoubtful;
    this.#acts = isDoubtful ? [...ACTS, ...DOUBTFUL_ACTS] : ACTS;
    const more = this.random.for('more acts');
    this.#more = more.chance(0.5) ? more : null;
    const words = this.random.for('words');
    this.#words = words.chance(1 / 3) ? words : null;
    const warnings = this.random.for('warnings');
    this.#warnings = warnings.chance(1 / 3) ? warnings : null;
    for (const user of this.users) {
      const isWanted = this.#warnings?.chance(0.7) === true;
      this.rules.warning.onChoice(user, isWanted);
      this.choose(user, isWanted);
    }
    this.platform.isLogBehind = isDoubtful && this.random.chance(0.5);
    this.platform.onChange = (change) => {
      this.say(`meta ${change.to} by ${change.isOurs ? 'us' : 'others'}${change.isLate ? ', late' : ''}`);
      this.rules.onChange(change);
    };
  }

  play(): this {
    const steps = this.random.whole(8, 32);
    if (this.random.chance(0.6)) this.setLevel('HIGH_DISRUPTION');
    for (let step = 0; step < steps; step += 1) {
      const mean = this.random.chance(0.02)
        ? 1_800_000
        : this.random.pick([200, 1000, 1000, 3000, 3000, 12_000, 12_000, 40_000, 70_000]);
      this.platform.advance(Math.floor(mean * (0.3 + this.random.next())));
      this.readPage();
      const isTurn = this.random.chance(0.45);
      if (!isTurn) this.#act();
      if (isTurn || (this.lookAt !== null && this.lookAt <= this.now)) this.turn();
    }
    this.#endWell();
    return this;
  }

  #act(): void {
    const act = this.#more?.chance(0.3) ? this.#more.pick(MORE_ACTS) : this.random.pick(this.#acts);
    act(this, this.rules);
    if (this.#words?.chance(0.25)) this.#words.pick(WORDS)(this, this.rules);
    if (this.#warnings?.chance(0.25)) this.#warnings.pick(WARNINGS)(this, this.rules);
    this.lookAt = this.now;
  }

  /** All is well for two hours: everything must come to its end. */
  #endWell(): void {
    this.say('all is well from now on');
    this.platform.recover();
    this.rules.retryNow.onRecovery();
    this.blockedUntil = null;
    for (const user of this.users) Object.assign(user, { hasAccess: true, writesBlockedUntil: null });
    if (this.hold !== null && this.hold.resumeAsked !== null) {
      this.#turns(100);
      this.rules.resumeNow.checkDone();
    }
    this.setLevel('UP');
    if (this.rules.warning.isOn || this.users.some((user) => this.rules.word.isSaid(user))) {
      this.#turns(100);
      this.rules.word.checkPaused();
    }
    for (const user of this.users) {
      this.rules.word.onEnd(user);
      if (user.signals.some(({ source }) => source === 'user')) this.sayAll(user, this.now);
    }
    this.rules.warning.onEnd();
    this.warn(this.now);
    this.#turns(200);
    // Another tool may have it off for longer.
    if (this.hold !== null && this.hold.postponedUntil !== null) this.#turns(50);
    this.rules.checkEnd();
  }

  #turns(count: number): void {
    for (let turns = 0; turns < count; turns += 1) {
      this.platform.advance(37_000);
      this.readPage();
      this.turn();
    }
  }

  world(log: ChangeLog, readAt: number, live: ReturnType<Platform['read']> | 'UNLISTED' | null): World {
    return {
      status: this.status,
      users: this.users.map((user) => {
        const refused = this.refusedResumeOf(user);
        return { ...user, refusedResumes: new Map(refused === null ? [] : [[CAMPAIGN, refused]]) };
      }),
      campaigns:
        live === null
          ? null
          : live === 'UNLISTED'
            ? []
            : [{ id: CAMPAIGN, status: live, dailyBudget: 1, stopTime: this.stopTime }],
      readAt,
      timeZone: 'Asia/Tokyo',
      holds: new Map(this.hold === null ? [] : [[CAMPAIGN, this.hold]]),
      writes: new Map(this.write === null ? [] : [[CAMPAIGN, this.write]]),
      logOf: () => log,
      accepted: new Set(),
      ofMany: new Set(this.isOfMany ? [CAMPAIGN] : []),
      schedules: new Map(this.schedule === null ? [] : [[CAMPAIGN, this.schedule]]),
    };
  }

  /** One pass of the reconciler. It may crash at any of its steps. */
  turn(): void {
    // The queue gives out no work item whose limit is used up.
    if (this.blockedUntil !== null && this.blockedUntil > this.now) {
      this.lookAt = this.blockedUntil;
      return;
    }
    const { world, plan } = this.#plan();
    if (this.#crashes(0.02, 'before the intent')) return;
    this.lookAt = plan.lookAt;
    this.rules.checkPlan(world, plan);
    const [change] = plan.changes;
    if (change === undefined) return;
    this.rules.checkChange(world, change);
    this.rules.resumeNow.checkOthers(world, change);
    this.rules.resumeNow.checkManual(world, change);
    if (change.send !== null && change.write !== null) this.rules.retryNow.checkSend(change.write);
    this.#store(change, change.reports);
    // A pause that has just become known may go to another user next.
    const isNewlyKnown = change.before.hold?.pausedAt !== change.hold?.pausedAt;
    if (change.send === null && this.hold !== null && !isNewlyKnown)
      this.rules.checkRest(
        planAccount(
          { ...this.world('unread', world.readAt, null), campaigns: world.campaigns, logOf: world.logOf },
          this.now,
        ),
      );
    if (change.send === null || change.write === null || this.#crashes(0.05, 'before the call')) return;
    const fate = this.platform.write(change.send);
    this.say(`  ${change.send} was sent: ${fate}`);
    // Someone undoes a write whose answer is lost, and what follows is seen late.
    if (this.#isDoubtful && answerOf(fate) === 'unanswered' && this.random.chance(0.2)) {
      this.platform.advance(1000);
      this.platform.changeOutside(change.send === 'ACTIVE' ? 'PAUSED' : 'ACTIVE');
      this.platform.lag();
    }
    if (this.random.chance(0.05)) {
      (this.random.chance(0.5) ? toggle : resumeNow)(this, this.rules);
      this.platform.advance(1);
    }
    if (this.#crashes(0.05, 'after the call')) return;
    this.rules.onAnswer(change, fate);
    this.rules.retryNow.onAnswer(change.write, fate);
    const user = this.users.find(({ id }) => id === change.write?.requestedBy);
    if (fate === 'token' && user !== undefined) user.hasAccess = false;
    const isBlocked = fate === 'blocked';
    if (user !== undefined && (isBlocked || fate === 'done'))
      user.writesBlockedUntil = isBlocked ? blockedUntil([change.write], BLOCK_MS, this.now) : null;
    if (fate === 'limited') this.blockedUntil = this.now + this.random.pick([10_000, 60_000, 300_000]);
    const holder = change.hold === null ? null : holderOf(world, CAMPAIGN, change.hold, this.now);
    const waitMs = this.random.whole(0, 8000);
    const retryAt = this.now + (isBlocked ? BLOCK_MS : waitMs);
    const sent = { hold: change.hold, write: change.write, earlierUntil: change.earlierUntil };
    const after = afterAnswer(sent, answerOf(fate), { now: this.now, holder, retryAt });
    this.#store(after, after.reports);
    this.rules.retryNow.checkNext(change.write, fate);
    this.lookAt = this.now + (fate === 'done' ? 0 : 1000);
  }

  #plan(): { world: World; plan: AccountPlan } {
    const readAt = this.now;
    const isRead = needsReading(this.world('unread', readAt, null), this.now);
    const live = isRead ? this.#read() : null;
    this.platform.advance(this.random.whole(0, 300));
    let world = this.world('unread', readAt, live);
    let plan = planAccount(world, this.now);
    if (plan.needLog.length === 0) return { world, plan };
    const log = this.platform.readLog();
    const { hidesChange, logLacksExternal } = this.platform;
    if (log === 'unreadable' || hidesChange || logLacksExternal) this.rules.onUnreadableLog();
    world = this.world(log, readAt, live);
    this.platform.advance(this.random.whole(0, 300));
    plan = planAccount(world, this.now);
    return { world, plan };
  }

  /** The list, and by id what it lacks. Null: Meta refuses the read. */
  #read(): ReturnType<Platform['read']> | 'UNLISTED' | null {
    if (this.platform.limitedUntil > this.now) return null;
    if (this.platform.isListed()) return this.platform.read();
    const isOnFor = this.users.some((user) => isOn(user, CAMPAIGN));
    const owed = this.hold !== null || this.write !== null ? [CAMPAIGN] : [];
    const byId = idsToReadById({ listed: new Set(), on: isOnFor ? [CAMPAIGN] : [], owed, ended: new Map() });
    if (byId.length > 0) return this.platform.read();
    this.rules.onUnlisted();
    return 'UNLISTED';
  }

  #crashes(chance: number, where: string): boolean {
    if (this.platform.isWell || !this.random.chance(chance)) return false;
    this.say(`crash ${where}`);
    this.lookAt = this.now + CRASHED_MS;
    return true;
  }

  #store({ hold, write }: Pick<CampaignChange, 'hold' | 'write'>, reports: readonly Report[]): void {
    const before = this.hold;
    this.store(hold, write);
    const told = reports
      .map((one) => (typeof one === 'string' ? one : `manual ${one.manualFailed}`))
      .join(', ');
    const sent =
      write === null
        ? '-'
        : `${write.origin} ${write.target} ${write.state}${write.unansweredUntil === null ? '' : '?'}`;
    this.say(`-> ${hold?.state ?? '-'} ${hold?.releaseReason ?? ''} | ${sent} | ${told}`);
    this.rules.onStored(before, hold, reports);
  }
}
