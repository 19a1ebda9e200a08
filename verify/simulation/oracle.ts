import type { SimRequest } from '../../simulators/kit/http.ts';
import type { Write } from '../../simulators/meta-graph/state/state.ts';
import type { SimulatedDatabase } from './world/database.ts';
import type { ObservedRequest } from './world/network.ts';
import type { Simulators } from './world/simulators.ts';
import { APP } from './world/simulators.ts';
import type { Evidence } from '../invariants/hold-end.ts';
import { MAY_STAY_PAUSED, isSentAgain, releaseViolation } from '../invariants/hold-end.ts';
import { ThresholdMatches } from '../invariants/threshold-match.ts';
import { MetaRefusals } from '../invariants/meta-refusals.ts';
import { StatusObservations } from '../invariants/status-observation.ts';
import type { HoldRow, Snapshot, StatusRow } from '../invariants/snapshot.ts';
import { takeSnapshot } from '../invariants/snapshot.ts';
import { SmartPauseSettings, isOnIn } from '../invariants/smartpause-settings.ts';
import { UserRequests } from '../invariants/user-requests.ts';
import { describeHold, writesIn } from './trace.ts';

/** The state of one campaign according to Meta's write log. */
interface Campaign {
  /** Paused by the reconciler and unchanged since. */
  isOurs: boolean;
  /** An external change during a hold that cannot be distinguished from a write of ours. */
  isAmbiguous: boolean;
  /** Resumed by an external change while the hold was confirmed. */
  takenFromHold: number | null;
  /** When a write of this status last lost its response. */
  lost: Map<string, number>;
  /** When a write last got no response, or a wrong one. */
  lostAt: number;
  /** The last manual or external change; null: a later write of ours has another reason. */
  externalChange: { status: string; at: number } | null;
  /** The status of an external change that a late write of ours undid. */
  undone: string | null;
}

/** After an unconfirmed write an external change cannot be recognised for this long. */
const IN_DOUBT_MS = 180_000;
/** A write without a response may be carried out for this long. */
const LATE_WRITE_MS = 60_000;
const LATE_MS = 14_000; // Longer than any call waits for a response.
/** An external change during the list read before a hold counts as one after it. */
const EXTERNAL_BEFORE_MS = 20_000;

export interface OracleOptions {
  database: SimulatedDatabase;
  now: () => number;
  staleMs: number;
  /** The largest clock skew of a process. */
  skewMs: () => number;
  simulators: Simulators;
}

/** Knows the rules from the specification alone, observes from the outside and reports violations. */
export class Oracle {
  readonly violations: string[] = [];
  readonly campaigns = new Map<string, Campaign>();
  readonly userRequests = new UserRequests();
  readonly #switches = new SmartPauseSettings();
  readonly reading: StatusObservations;
  readonly matches: ThresholdMatches;
  /** The campaigns that a user has chosen for a live test. */
  readonly liveTests = new Set<string>();
  readonly refusals: MetaRefusals;
  /** Meta users whose access was revoked or may be; '*': every user's. */
  readonly accessDoubted = new Set<string>();
  readonly #options: OracleOptions;
  readonly #began = new Map<number, number>();
  /** The statuses that the reconciler wrote, by hold. */
  readonly changes = new Map<number, string[]>();
  #faults = 0;
  #before: Snapshot | null = null;
  #seenWrites = 0;
  #seenMatchWrites: number;
  #sent: { campaign: string; status: string }[] = [];
  /** Meta's writes that were manual pauses or resumes; `#named` counts the writes that were classified. */
  readonly #ownActivities = new Set<Write>();
  readonly #sentAt = new WeakMap<SimRequest, number>();
  /** Writes that arrived after their caller had timed out, with when they were sent. */
  readonly #late = new Map<Write, number>();
  #named = 0;

  constructor(options: OracleOptions) {
    this.#options = options;
    this.#seenMatchWrites = options.database.matchWrites;
    this.matches = new ThresholdMatches(options.now, () => options.staleMs + options.skewMs());
    this.refusals = new MetaRefusals(options);
    this.reading = new StatusObservations({ ...options, page: options.simulators.statusPage });
  }

  get #writes(): readonly Write[] {
    return this.#options.simulators.graph.state.writes;
  }

  onTrace: (line: string) => void = () => undefined;

  /** Every request of the product, when it is sent. */
  onSend({ service, request, isManual }: ObservedRequest): void {
    this.#sentAt.set(request, this.#options.now());
    if (service === 'graph') this.#checkDirection(request);
    if (service === 'graph' && !isManual) this.#sent.push(...writesIn(request));
  }

  /** The response of this write is lost, and it may still be carried out. */
  onLost({ service, request }: ObservedRequest): void {
    if (service !== 'graph') return;
    for (const { campaign, status } of writesIn(request))
      this.campaign(campaign).lost.set(status, this.#options.now());
  }

  /** One direction at a time: no opposite write follows a lost one while that may still arrive. */
  #checkDirection(request: SimRequest): void {
    for (const { campaign, status } of writesIn(request))
      for (const [lost, at] of this.campaign(campaign).lost)
        if (lost !== status && this.#options.now() - at + 2 * this.#options.skewMs() < LATE_WRITE_MS)
          this.report(`${status} was sent for ${campaign} while ${lost} may still arrive`);
  }

  /** Classifies the writes that the request caused. */
  onServed({ service, request, isManual }: ObservedRequest): void {
    if (service === 'status') this.reading.onServed(request.path);
    const faults = this.#options.simulators.graph.faults.hits;
    if (service === 'graph' && faults > this.#faults) {
      this.onUnconfirmed(request);
      if (!isManual) this.violations.push(...this.refusals.onRefused(writesIn(request)));
    }
    this.#faults = faults;
    const sentAt = this.#sentAt.get(request) ?? Infinity;
    for (const write of this.#writes.slice(this.#named)) {
      if (isManual) this.#ownActivities.add(write);
      else if (service === 'graph' && this.#options.now() - sentAt > LATE_MS) this.#late.set(write, sentAt);
    }
    this.#named = this.#writes.length;
  }

  /** The sender does not know whether the write was carried out. */
  onUnconfirmed(request: SimRequest): void {
    for (const { campaign } of writesIn(request)) this.campaign(campaign).lostAt = this.#options.now();
  }

  async check(): Promise<void> {
    const { database, now } = this.#options;
    const after = await takeSnapshot((sql) => database.query(sql));
    const before = this.#before ?? after;
    const lastExternalAt = (id: string): number | null => this.#lastExternalAt(id);
    const when = { now: now(), skewMs: this.#options.skewMs(), lastExternalAt };
    for (const wrong of this.#switches.check([before, after], when)) this.report(wrong);
    for (const wrong of this.userRequests.check(before, after)) this.report(wrong);
    const { matches } = this;
    const matchedBefore = new Set(before.users.map(({ id }) => id).filter((id) => matches.isMatched(id)));
    const resumeBefore = new Map(before.users.map((one) => [one.id, matches.resumeAt(one)]));
    const isMuchAtOnce = database.matchWrites - this.#seenMatchWrites > 1;
    this.#readStatus(before.status, after.status, isMuchAtOnce);
    matches.foldMatches(after, isMuchAtOnce);
    this.#seenMatchWrites = database.matchWrites;
    const levels = [matches.effectiveOf(before.status), matches.effectiveOf(after.status)];
    if (before.status.known !== after.status.known || before.status.effective !== after.status.effective)
      this.onTrace(`status: known ${after.status.known}, effective ${after.status.effective}`);
    for (const hold of after.holds) {
      const was = before.holds.find(({ id }) => id === hold.id);
      if (JSON.stringify(was) !== JSON.stringify(hold)) this.onTrace(describeHold(hold));
      if (was === undefined) this.#newHold(hold, [before, after], { levels, matchedBefore });
      else if (hold.state === 'resuming' && (was.state !== 'resuming' || isSentAgain(was, hold)))
        this.#resuming(hold, after, resumeBefore);
      if (was?.state !== 'ended' && hold.state === 'ended') this.#ended(hold, [before, after]);
      if (was?.state === 'ended' && hold.state !== 'ended')
        this.report(`hold ${hold.id} on ${hold.campaign_id} had ended and is live again`);
    }
    this.#oneLiveHoldEach(after);
    for (const sent of this.#sent.splice(0)) this.#wasSent(sent, [before, after]);
    const writes = this.#writes;
    for (; this.#seenWrites < writes.length; this.#seenWrites += 1) {
      const write = writes[this.#seenWrites];
      if (write === undefined) continue;
      const { campaign, previous, status, application } = write;
      this.onTrace(`written by ${application}: ${campaign} ${previous} -> ${status}`);
      this.#written(write, after, now());
    }
    this.#before = after;
  }

  campaign(id: string): Campaign {
    const known = this.campaigns.get(id) ?? {
      isOurs: false,
      isAmbiguous: false,
      takenFromHold: null,
      lost: new Map(),
      lostAt: -Infinity,
      externalChange: null,
      undone: null,
    };
    this.campaigns.set(id, known);
    return known;
  }

  get lastSnapshot(): Snapshot | null {
    return this.#before;
  }

  report(violation: string): void {
    this.violations.push(`${new Date(this.#options.now()).toISOString()} ${violation}`);
  }

  #readStatus(before: StatusRow, status: StatusRow, isMuchAtOnce: boolean): void {
    const misread = this.reading.check(before, status);
    if (misread !== null) this.report(misread);
    const known = this.matches.foldStatus(before, status, isMuchAtOnce);
    if (status.known !== known) this.report(`the level is ${status.known}, by the text ${known}`);
  }

  /** Events between two checks may have come in any order: a hold is right if one order allows it. */
  #newHold(
    hold: HoldRow,
    snapshots: readonly Snapshot[],
    { levels, matchedBefore }: { levels: readonly string[]; matchedBefore: ReadonlySet<number> },
  ): void {
    const about = `hold ${hold.id} on ${hold.campaign_id}`;
    const isMatched = this.matches.isMatched(hold.user_id);
    // A live test is refused while the status is unknown, which it may become between that check and the hold.
    const isTest = hold.test_until !== null;
    if (!isTest && levels.every((level) => level === 'UNKNOWN'))
      this.report(`${about} was begun while the status was UNKNOWN`);
    if (isTest && !this.liveTests.has(hold.campaign_id))
      this.report(`${about} is a live test that no user has started`);
    if (!isTest && !isMatched && !matchedBefore.has(hold.user_id))
      this.report(`${about} was begun although the threshold is not met`);
    this.#began.set(hold.id, this.#options.now());
    if (!isTest && !snapshots.some((one) => isOnIn(one, hold)))
      this.report(`${about} was begun although its SmartPause is not on`);
    Object.assign(this.campaign(hold.campaign_id), { takenFromHold: null, isAmbiguous: false });
    for (const wrong of this.refusals.checkNewHold(hold)) this.report(`${about} ${wrong}`);
  }

  /** UNKNOWN changes no resume time, so it neither allows nor forbids a resume. */
  #resuming(hold: HoldRow, { users }: Snapshot, resumeBefore: ReadonlyMap<number, number | null>): void {
    const user = users.find(({ id }) => id === hold.user_id);
    if (user === undefined || user.leaving !== null || this.#isRestoring(hold)) return;
    const about = `hold ${hold.id} on ${hold.campaign_id}`;
    if (hold.test_until !== null) {
      if (this.#options.now() + this.#options.skewMs() < Date.parse(hold.test_until))
        this.report(`${about} is resumed before the end of its test`);
      return;
    }
    const times = [this.matches.resumeAt(user), resumeBefore.get(user.id) ?? null].filter(
      (at) => at !== null,
    );
    const at = times.length === 0 ? null : Math.min(...times);
    if (at === null) this.report(`${about} is resumed although the threshold is met`);
    else if (this.matches.knowsWhenEnded(user.id) && this.#options.now() + this.#options.skewMs() < at)
      this.report(`${about} is resumed before ${new Date(at).toISOString()}`);
  }

  #ended(hold: HoldRow, snapshots: readonly Snapshot[]): void {
    const doubt = releaseViolation(hold, this.#groundsOf(hold, snapshots));
    if (doubt !== null) this.report(`hold ${hold.id} on ${hold.campaign_id} ${doubt}`);
    if (hold.outcome !== 'released' || !MAY_STAY_PAUSED.includes(hold.reason ?? '')) return;
    const isResumed = this.#writes
      .slice(this.#seenWrites)
      .some((write) => write.campaign === hold.campaign_id && write.status === 'ACTIVE');
    // A resume was sent earlier and is checked against the state at that time.
    if (!isResumed) this.campaign(hold.campaign_id).isOurs = false;
    // A write that was in flight at the release may still arrive.
    this.campaign(hold.campaign_id).isAmbiguous ||= hold.sent_at !== null;
  }

  #groundsOf(hold: HoldRow, snapshots: readonly Snapshot[]): Evidence {
    const { simulators, now, skewMs } = this.#options;
    const since = (this.#began.get(hold.id) ?? now()) - EXTERNAL_BEFORE_MS - skewMs();
    const users = snapshots.flatMap(({ users }) => users.filter(({ id }) => id === hold.user_id));
    const { leaving, platform_user_id: userId } = users.at(-1) ?? { leaving: 'gone', platform_user_id: '*' };
    return {
      writes: this.#writes.filter(
        (write) => write.campaign === hold.campaign_id && Date.parse(write.at) >= since,
      ),
      isManual: (write) => this.#isManual(write),
      wasPauseAsked: this.userRequests.wasRequested('pauseCampaign', hold.campaign_id),
      isOn:
        !this.#switches.wasOff(hold) &&
        snapshots.every((one) => isOnIn(one, hold)) &&
        !this.userRequests.mayHaveBeenOff(hold.campaign_id, userId),
      status: simulators.graph.state.campaigns.get(hold.campaign_id)?.status,
      ...this.refusals.evidenceOf(hold.campaign_id),
      wasAccessLost: leaving !== null || this.accessDoubted.has(userId) || this.accessDoubted.has('*'),
    };
  }

  /** A late write of ours has undone an external change, and SmartPause restores it once. */
  #isRestoring({ release, campaign_id: id }: HoldRow): boolean {
    if (release === null) return false;
    const restored = release === 'paused_outside' ? 'PAUSED' : 'ACTIVE';
    return this.#writes.some(
      (write) => write.campaign === id && write.status === restored && this.#isManual(write),
    );
  }

  #lastExternalAt(campaign: string): number | null {
    const last = this.#writes.findLast((write) => write.campaign === campaign && this.#isManual(write));
    return last === undefined ? null : Date.parse(last.at);
  }

  #isManual(write: Write): boolean {
    return write.application !== APP.id || this.#ownActivities.has(write);
  }

  #oneLiveHoldEach({ holds }: Snapshot): void {
    const live = holds.filter(({ state }) => state !== 'ended').map((hold) => hold.campaign_id);
    const twice = live.find((id, index) => live.indexOf(id) !== index);
    if (twice !== undefined) this.report(`campaign ${twice} is held twice`);
  }

  #wasSent(
    { campaign, status }: { campaign: string; status: string },
    snapshots: readonly [Snapshot, Snapshot],
  ): void {
    const [, after] = snapshots;
    const wanted = status === 'ACTIVE' ? 'resuming' : 'pausing';
    const recently = this.#options.now() - 1000 - this.#options.skewMs();
    const meant = after.holds.filter(
      (hold) =>
        hold.campaign_id === campaign &&
        (hold.state === wanted || (hold.ended_at !== null && Date.parse(hold.ended_at) >= recently)),
    );
    if (meant.length === 0) this.report(`${status} was sent for ${campaign}, which is not held for that`);
    const stays = (id: number): boolean =>
      after.users.some((user) => user.id === id && user.leaving === null);
    const isOff = (hold: HoldRow): boolean =>
      hold.test_until === null &&
      !this.#isRestoring(hold) &&
      stays(hold.user_id) &&
      !snapshots.some((one) => isOnIn(one, hold));
    if (meant.length > 0 && meant.every(isOff))
      this.report(`${status} was sent for ${campaign}, whose SmartPause is off`);
  }

  #written(write: Write, { holds }: Snapshot, now: number): void {
    const one = this.campaign(write.campaign);
    const isChange = write.previous !== write.status;
    const isUndone = one.undone !== null;
    if (isChange) this.#checkExternalChange(write, one);
    const hold = holds.findLast(({ campaign_id }) => campaign_id === write.campaign);
    const live = hold?.state === 'ended' ? undefined : hold;
    if (write.application !== APP.id) {
      this.#asManual(write, one, { live, now });
      return;
    }
    if (this.#ownActivities.has(write)) {
      one.undone = null; // The user's own wish is newer.
      if (isChange) one.isOurs = false;
      // Found paused already, or carried out although reported as failed: either may count as the user's.
      const name = write.status === 'PAUSED' ? 'pauseCampaign' : 'resumeCampaign';
      if (!isChange || !this.userRequests.isRequested(name, write.campaign)) one.isAmbiguous = true;
      return;
    }
    if (!isChange) return;
    if (hold !== undefined) this.changes.set(hold.id, [...(this.changes.get(hold.id) ?? []), write.status]);
    if (write.status === 'PAUSED') {
      if (one.takenFromHold !== null && !one.isAmbiguous)
        this.report(`${write.campaign} was paused again although it had been resumed outside`);
      if (isUndone && one.undone === null) one.isOurs = false;
      else if (live !== undefined || hold?.reason === 'not_needed') one.isOurs = true;
      else if (MAY_STAY_PAUSED.includes(hold?.reason ?? '')) one.isAmbiguous = true;
      else
        this.report(
          `${write.campaign} was paused after its hold had ended (${hold?.reason ?? hold?.outcome ?? ''})`,
        );
    } else {
      // A manual pause that was reported as failed does not count.
      const wasDenied = this.userRequests.wasDenied('pauseCampaign', write.campaign);
      // A write sent before the user's pause that arrives after it is checked in the end.
      const isLate = one.undone === 'PAUSED';
      if (!one.isOurs && !one.isAmbiguous && !wasDenied && !isLate)
        this.report(`${write.campaign} was resumed although it was not us who had paused it`);
      one.isOurs = false;
    }
  }

  /** An external change also wins over earlier writes of ours, whenever they arrive. */
  #checkExternalChange(write: Write, one: Campaign): void {
    const at = Date.parse(write.at);
    if (this.#isManual(write)) {
      one.externalChange = { status: write.status, at };
      one.undone = null;
      return;
    }
    const sentAt = this.#late.get(write);
    if (one.externalChange !== null && sentAt !== undefined && sentAt < one.externalChange.at)
      one.undone = one.externalChange.status;
    else if (one.undone === write.status) one.undone = null;
    else one.externalChange = null;
  }

  #asManual(write: Write, one: Campaign, { live, now }: { live: HoldRow | undefined; now: number }): void {
    if (write.previous === write.status) return;
    one.isOurs = false;
    if (live === undefined) return;
    const isSettled = live.state === 'paused' && now - one.lostAt > IN_DOUBT_MS;
    if (write.status !== 'PAUSED' && isSettled) one.takenFromHold = now;
    else one.isAmbiguous = true;
  }
}
