import type { SimRequest } from '../../simulators/kit/http.ts';
import type { Write } from '../../simulators/meta-graph/state.ts';
import { MAY_STAY_PAUSED, releaseViolation } from '../invariants/hold-end.ts';
import { MetaRefusals } from '../invariants/meta-refusals.ts';
import type { HoldRow, Snapshot } from '../invariants/snapshot.ts';
import { takeSnapshot } from '../invariants/snapshot.ts';
import type { RuleClock } from '../invariants/status.ts';
import { StatusObservations, ThresholdMatches } from '../invariants/status.ts';
import { UserRequests, isOnIn } from '../invariants/user-requests.ts';
import type { SimulatedDatabase } from './world/database.ts';
import type { ObservedRequest } from './world/network.ts';
import { writesIn } from './world/network.ts';
import type { Simulators } from './world/simulators.ts';
import { APP } from './world/simulators.ts';

/** The state of one campaign according to Meta's write log. */
interface Campaign {
  /** Paused by the reconciler and unchanged since. */
  isOurs: boolean;
  /** An external change during a hold that cannot be distinguished from a write of ours. */
  isAmbiguous: boolean;
  /** Resumed by an external change while the hold was confirmed. */
  isTakenFromHold: boolean;
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

/** Knows the rules from the specification alone, observes from the outside and reports violations. */
export class Oracle {
  readonly violations: string[] = [];
  readonly campaigns = new Map<string, Campaign>();
  readonly userRequests: UserRequests;
  readonly observations: StatusObservations;
  readonly matches: ThresholdMatches;
  readonly refusals: MetaRefusals;
  /** The campaigns that a user has chosen for a live test. */
  readonly liveTests = new Set<string>();
  /** Meta users whose access was revoked or may be; '*': every user's. */
  readonly accessDoubted = new Set<string>();
  /** The statuses that the reconciler wrote, by hold. */
  readonly changes = new Map<number, string[]>();
  onTrace: (line: string) => void = () => undefined;
  readonly #clock: RuleClock;
  readonly #database: SimulatedDatabase;
  readonly #graph: Simulators['graph'];
  readonly #began = new Map<number, number>();
  #before: Snapshot | null = null;
  #seenMatchWrites: number;
  #faults = 0;
  /** How many of Meta's writes were classified, and checked. */
  #classified = 0;
  #checked = 0;
  #sent: { campaign: string; status: string }[] = [];
  /** Meta's writes that were manual pauses or resumes. */
  readonly #manual = new Set<Write>();
  readonly #sentAt = new WeakMap<SimRequest, number>();
  /** Writes that arrived after their caller had timed out, with when they were sent. */
  readonly #late = new Map<Write, number>();

  constructor(clock: RuleClock, database: SimulatedDatabase, { graph, statusPage }: Simulators) {
    this.#clock = clock;
    this.#database = database;
    this.#graph = graph;
    this.#seenMatchWrites = database.matchWrites;
    this.userRequests = new UserRequests(clock);
    this.matches = new ThresholdMatches(clock);
    this.refusals = new MetaRefusals(clock, graph.state.campaigns);
    this.observations = new StatusObservations(statusPage, clock);
  }

  get lastSnapshot(): Snapshot | null {
    return this.#before;
  }

  get #writes(): readonly Write[] {
    return this.#graph.state.writes;
  }

  report(...violations: string[]): void {
    for (const one of violations) this.violations.push(`${new Date(this.#clock.now()).toISOString()} ${one}`);
  }

  campaign(id: string): Campaign {
    const known = this.campaigns.get(id) ?? {
      isOurs: false,
      isAmbiguous: false,
      isTakenFromHold: false,
      lost: new Map(),
      lostAt: -Infinity,
      externalChange: null,
      undone: null,
    };
    this.campaigns.set(id, known);
    return known;
  }

  /** One direction at a time: no opposite write follows a lost one while that may still arrive. */
  onSend({ service, request, isManual }: ObservedRequest): void {
    const now = this.#clock.now();
    this.#sentAt.set(request, now);
    if (service !== 'graph') return;
    const writes = writesIn(request);
    if (!isManual) this.#sent.push(...writes);
    for (const { campaign, status } of writes)
      for (const [lost, at] of this.campaign(campaign).lost)
        if (lost !== status && now - at + 2 * this.#clock.skewMs() < LATE_WRITE_MS)
          this.report(`${status} was sent for ${campaign} while ${lost} may still arrive`);
  }

  /** The network disturbs the request. @param isLost its response is lost, and it may still be carried out */
  onFault({ service, request }: ObservedRequest, isLost: boolean): void {
    if (service === 'status') this.observations.onBroken();
    if (service !== 'graph') return;
    this.#onUnconfirmed(request);
    if (!isLost) return;
    for (const { campaign, status } of writesIn(request))
      this.campaign(campaign).lost.set(status, this.#clock.now());
  }

  /** Classifies the writes that the request caused. */
  onServed({ service, request, isManual }: ObservedRequest): void {
    if (service === 'status') this.observations.onServed(request.path);
    const { hits } = this.#graph.faults;
    if (service === 'graph' && hits > this.#faults) {
      this.#onUnconfirmed(request);
      if (!isManual)
        for (const { campaign } of writesIn(request)) this.report(...this.refusals.onRefused(campaign));
    }
    this.#faults = hits;
    const sentAt = this.#sentAt.get(request) ?? Infinity;
    for (const write of this.#writes.slice(this.#classified))
      if (isManual) this.#manual.add(write);
      else if (service === 'graph' && this.#clock.now() - sentAt > LATE_MS) this.#late.set(write, sentAt);
    this.#classified = this.#writes.length;
  }

  /** The sender does not know whether the write was carried out. */
  #onUnconfirmed(request: SimRequest): void {
    for (const { campaign } of writesIn(request)) this.campaign(campaign).lostAt = this.#clock.now();
  }

  async check(): Promise<void> {
    const after = await takeSnapshot((sql) => this.#database.query(sql));
    const before = this.#before ?? after;
    const { matches } = this;
    const isMuchAtOnce = this.#database.matchWrites - this.#seenMatchWrites > 1;
    this.#seenMatchWrites = this.#database.matchWrites;
    const matchedBefore = new Set(before.users.map(({ id }) => id).filter((id) => matches.isMatched(id)));
    const resumeBefore = new Map(before.users.map((one) => [one.id, matches.resumeAt(one)]));
    this.report(
      ...this.userRequests.check(before, after, (id) => this.#lastManualAt(id)),
      ...this.observations.check(before.status, after.status),
      ...matches.check(before, after, isMuchAtOnce),
    );
    if (before.status.known !== after.status.known || before.status.effective !== after.status.effective)
      this.onTrace(`status: known ${after.status.known}, effective ${after.status.effective}`);
    for (const hold of after.holds) {
      const was = before.holds.find(({ id }) => id === hold.id);
      const about = `hold ${hold.id} on ${hold.campaign_id}`;
      const { state, outcome, reason, release, sent_at } = hold;
      if (JSON.stringify(was) !== JSON.stringify(hold))
        this.onTrace(`${about}: ${JSON.stringify({ state, outcome, reason, release, sent_at })}`);
      const wrong = [
        ...(was === undefined ? this.#newHold(hold, [before, after], matchedBefore) : []),
        ...(was !== undefined && isResumeSent(was, hold) ? this.#resuming(hold, after, resumeBefore) : []),
        ...(was?.state !== 'ended' && state === 'ended' ? this.#ended(hold, [before, after]) : []),
        ...(was?.state === 'ended' && state !== 'ended' ? ['had ended and is live again'] : []),
      ];
      this.report(...wrong.map((one) => `${about} ${one}`));
    }
    const live = after.holds.filter(({ state }) => state !== 'ended').map((hold) => hold.campaign_id);
    const twice = live.find((id, index) => live.indexOf(id) !== index);
    if (twice !== undefined) this.report(`campaign ${twice} is held twice`);
    for (const sent of this.#sent.splice(0)) this.#checkIntent(sent, [before, after]);
    for (const write of this.#writes.slice(this.#checked)) {
      const { campaign, previous, status, application } = write;
      this.onTrace(`written by ${application}: ${campaign} ${previous} -> ${status}`);
      this.#written(write, after);
    }
    this.#checked = this.#writes.length;
    this.userRequests.endStep();
    this.#before = after;
  }

  /** Events between two checks may have come in any order: a hold is right if one order allows it. */
  #newHold(hold: HoldRow, steps: readonly Snapshot[], matchedBefore: ReadonlySet<number>): string[] {
    this.#began.set(hold.id, this.#clock.now());
    Object.assign(this.campaign(hold.campaign_id), { isTakenFromHold: false, isAmbiguous: false });
    const wrong = this.refusals.checkNewHold(hold);
    // A live test is refused while the status is unknown, which it may become between that check and the hold.
    if (hold.test_until !== null) {
      if (!this.liveTests.has(hold.campaign_id)) wrong.push('is a live test that no user has started');
      return wrong;
    }
    if (steps.every(({ status }) => this.matches.effectiveOf(status) === 'UNKNOWN'))
      wrong.push('was begun while the status was UNKNOWN');
    if (!this.matches.isMatched(hold.user_id) && !matchedBefore.has(hold.user_id))
      wrong.push('was begun although the threshold is not met');
    if (!steps.some((one) => isOnIn(one, hold))) wrong.push('was begun although its SmartPause is not on');
    return wrong;
  }

  /** UNKNOWN changes no resume time, so it neither allows nor forbids a resume. */
  #resuming(hold: HoldRow, { users }: Snapshot, resumeBefore: ReadonlyMap<number, number | null>): string[] {
    const user = users.find(({ id }) => id === hold.user_id);
    if (user === undefined || user.leaving !== null || this.#isRestoring(hold)) return [];
    const latest = this.#clock.now() + this.#clock.skewMs();
    if (hold.test_until !== null)
      return latest < Date.parse(hold.test_until) ? ['is resumed before the end of its test'] : [];
    const times = [this.matches.resumeAt(user), resumeBefore.get(user.id) ?? null];
    const at = Math.min(...times.map((time) => time ?? Infinity));
    if (at === Infinity) return ['is resumed although the threshold is met'];
    return this.matches.knowsWhenEnded(user.id) && latest < at
      ? [`is resumed before ${new Date(at).toISOString()}`]
      : [];
  }

  #ended(hold: HoldRow, steps: readonly Snapshot[]): string[] {
    const { campaign_id: id } = hold;
    const wrong = this.#checkReason(hold, steps);
    if (hold.outcome !== 'released' || !MAY_STAY_PAUSED.includes(hold.reason ?? '')) return wrong;
    const isResumed = this.#writes
      .slice(this.#checked)
      .some((write) => write.campaign === id && write.status === 'ACTIVE');
    // A resume was sent earlier and is checked against the state at that time.
    if (!isResumed) this.campaign(id).isOurs = false;
    // A write that was in flight at the release may still arrive.
    this.campaign(id).isAmbiguous ||= hold.sent_at !== null;
    return wrong;
  }

  #checkReason(hold: HoldRow, steps: readonly Snapshot[]): string[] {
    const { campaign_id: id } = hold;
    const { now, skewMs } = this.#clock;
    const since = (this.#began.get(hold.id) ?? now()) - EXTERNAL_BEFORE_MS - skewMs();
    const users = steps.flatMap(({ users }) => users.filter((user) => user.id === hold.user_id));
    const { leaving, platform_user_id: userId } = users.at(-1) ?? { leaving: 'gone', platform_user_id: '*' };
    return releaseViolation(hold, {
      wasWritten: (status, by) =>
        this.#writes.some(
          (write) =>
            write.campaign === id &&
            write.status === status &&
            Date.parse(write.at) >= since &&
            (by === 'anyone' || this.#isManual(write)),
        ),
      wasPauseAsked: this.userRequests.wasRequested('pauseCampaign', id),
      isOn: steps.every((one) => isOnIn(one, hold)) && !this.userRequests.mayHaveBeenOff(hold, userId),
      status: this.#graph.state.campaigns.get(id)?.status,
      wasRefused: this.refusals.mayHaveRefused(id),
      hasEnded: this.refusals.hasEnded(id),
      wasAccessLost: leaving !== null || this.accessDoubted.has(userId) || this.accessDoubted.has('*'),
    });
  }

  /** A late write of ours has undone an external change, and SmartPause restores it once. */
  #isRestoring({ release, campaign_id: id }: HoldRow): boolean {
    if (release === null) return false;
    const restored = release === 'paused_outside' ? 'PAUSED' : 'ACTIVE';
    return this.#writes.some(
      (write) => write.campaign === id && write.status === restored && this.#isManual(write),
    );
  }

  #lastManualAt(campaign: string): number | null {
    const last = this.#writes.findLast((write) => write.campaign === campaign && this.#isManual(write));
    return last === undefined ? null : Date.parse(last.at);
  }

  #isManual(write: Write): boolean {
    return write.application !== APP.id || this.#manual.has(write);
  }

  /** Each write of the reconciler has a hold that means it, and SmartPause is on. */
  #checkIntent(
    { campaign, status }: { campaign: string; status: string },
    steps: [Snapshot, Snapshot],
  ): void {
    const [, after] = steps;
    const recently = this.#clock.now() - 1000 - this.#clock.skewMs();
    const meant = after.holds.filter(
      (hold) =>
        hold.campaign_id === campaign &&
        (hold.state === (status === 'ACTIVE' ? 'resuming' : 'pausing') ||
          Date.parse(hold.ended_at ?? '') >= recently),
    );
    const isOff = (hold: HoldRow): boolean =>
      hold.test_until === null &&
      !this.#isRestoring(hold) &&
      after.users.some((user) => user.id === hold.user_id && user.leaving === null) &&
      !steps.some((one) => isOnIn(one, hold));
    if (meant.length === 0) this.report(`${status} was sent for ${campaign}, which is not held for that`);
    else if (meant.every(isOff)) this.report(`${status} was sent for ${campaign}, whose SmartPause is off`);
  }

  #written(write: Write, { holds }: Snapshot): void {
    const { campaign, status } = write;
    const one = this.campaign(campaign);
    const isChange = write.previous !== status;
    const { undone } = one;
    if (isChange) this.#followExternalChange(write, one);
    const hold = holds.findLast(({ campaign_id }) => campaign_id === campaign);
    const live = hold?.state === 'ended' ? undefined : hold;
    if (write.application !== APP.id) {
      if (!isChange) return;
      one.isOurs = false;
      if (live === undefined) return;
      const isSettled = live.state === 'paused' && this.#clock.now() - one.lostAt > IN_DOUBT_MS;
      if (status !== 'PAUSED' && isSettled) one.isTakenFromHold = true;
      else one.isAmbiguous = true;
      return;
    }
    if (this.#manual.has(write)) {
      one.undone = null; // The user's own wish is newer.
      if (isChange) one.isOurs = false;
      // Found paused already, or carried out although reported as failed: either may count as the user's.
      const name = status === 'PAUSED' ? 'pauseCampaign' : 'resumeCampaign';
      if (!isChange || !this.userRequests.isRequested(name, campaign)) one.isAmbiguous = true;
      return;
    }
    if (!isChange) return;
    if (hold !== undefined) this.changes.set(hold.id, [...(this.changes.get(hold.id) ?? []), status]);
    if (status !== 'PAUSED') {
      // A manual pause that was reported as failed does not count.
      const wasDenied = this.userRequests.wasDenied('pauseCampaign', campaign);
      // A write sent before the user's pause that arrives after it is checked in the end.
      if (!one.isOurs && !one.isAmbiguous && !wasDenied && one.undone !== 'PAUSED')
        this.report(`${campaign} was resumed although it was not us who had paused it`);
      one.isOurs = false;
      return;
    }
    if (one.isTakenFromHold && !one.isAmbiguous)
      this.report(`${campaign} was paused again although it had been resumed outside`);
    if (undone !== null && one.undone === null) one.isOurs = false;
    else if (live !== undefined || hold?.reason === 'not_needed') one.isOurs = true;
    else if (MAY_STAY_PAUSED.includes(hold?.reason ?? '')) one.isAmbiguous = true;
    else
      this.report(`${campaign} was paused after its hold had ended (${hold?.reason ?? 'without a reason'})`);
  }

  /** An external change also wins over earlier writes of ours, whenever they arrive. */
  #followExternalChange(write: Write, one: Campaign): void {
    const at = Date.parse(write.at);
    const sentAt = this.#late.get(write);
    if (this.#isManual(write))
      Object.assign(one, { externalChange: { status: write.status, at }, undone: null });
    else if (one.externalChange !== null && sentAt !== undefined && sentAt < one.externalChange.at)
      one.undone = one.externalChange.status;
    else if (one.undone === write.status) one.undone = null;
    else one.externalChange = null;
  }
}

/** Not a transfer to another user, nor a lost response, whose time is corrected. */
function isResumeSent(was: HoldRow, { state, attempt, sent_at: sentAt }: HoldRow): boolean {
  const isSentAgain = attempt !== was.attempt && sentAt !== null && sentAt !== was.sent_at;
  return state === 'resuming' && (was.state !== 'resuming' || isSentAgain);
}
