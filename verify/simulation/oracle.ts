import type { SimRequest } from '../../simulators/kit/http.ts';
import type { Write } from '../../simulators/meta-graph/state.ts';
import { type HoldRow, type Snapshot, type WriteRow, isOnIn, takeSnapshot } from '../invariants/snapshot.ts';
import { StatusObservations, ThresholdMatches } from '../invariants/status.ts';
import { UserRequests } from '../invariants/user-requests.ts';
import type { SimulatedDatabase } from './world/database.ts';
import { type ObservedRequest, writesIn } from './world/network.ts';
import { type Simulators, APP_ID } from './world/simulators.ts';
import { STALE_MS } from './world/process.ts';

/** The state of one campaign according to Meta's write log. */
class CampaignRecord {
  /** Paused by the reconciler and unchanged since. */
  isOurs = false;
  /** An external change during a hold that cannot be distinguished from a write of ours. */
  isAmbiguous = false;
  /** Resumed by an external change while the hold was confirmed. */
  isTakenFromHold = false;
  /** When a write of this status last lost its response. */
  readonly lost = new Map<string, number>();
  /** When a write last got no response, or a wrong one. */
  lostAt = -Infinity;
  /** The last manual or external change; null: a later write of ours has another reason. */
  externalChange: { status: string; at: number } | null = null;
  /** The status of an external change that a late write of ours undid. */
  undone: string | null = null;
  datesMovedAt = -Infinity;
  /** Writes refused for good since the last hold began. */
  refusedTries = 0;
}

const THRESHOLDS = ['LOW', 'MEDIUM', 'HIGH'] as const;
/** After an unconfirmed write an external change cannot be recognised for this long. */
const IN_DOUBT_MS = 180_000;
/** A write without a response may be carried out for this long. */
const LATE_WRITE_MS = 60_000;
const LATE_MS = 14_000; // Longer than any call waits for a response.
/** The list that led to a hold may have been read this long before it. */
const READ_BEFORE_MS = 20_000;
/** Crashes and lost responses repeat a try of which the product does not know the answer. */
const TRIES_MAX = 30;
/** Releases after which a campaign may stay paused: the user wanted that, or it is not accessible. */
const MAY_STAY_PAUSED = [
  ...['smartpause_off', 'manual_pause', 'paused_by_other', 'access_lost'],
  ...['archived', 'deleted', 'ended', 'resume_refused'],
];

/** Knows the rules from the specification alone, observes from the outside and reports violations. */
export class Oracle {
  readonly violations: string[] = [];
  readonly campaigns = new Map<string, CampaignRecord>();
  readonly userRequests = new UserRequests();
  readonly observations: StatusObservations;
  readonly matches = new ThresholdMatches(STALE_MS);
  /** Meta users whose access was revoked or may be; '*': every user's. */
  readonly accessDoubted = new Set<string>();
  /** Campaigns of which Meta may refuse a write for good; '*': of any. */
  readonly refusable = new Set<string>();
  lastSnapshot: Snapshot | null = null;
  onTrace: (line: string) => void = () => undefined;
  readonly #database: SimulatedDatabase;
  readonly #graph: Simulators['graph'];
  readonly #began = new Map<number, number>();
  #seenMatchWrites: number;
  #faults = 0;
  /** How many of Meta's writes were classified, and checked. */
  #classified = 0;
  #checked = 0;
  /** Meta's writes that were manual pauses or resumes. */
  readonly #manual = new Set<Write>();
  readonly #sentAt = new WeakMap<SimRequest, number>();
  /** Writes that arrived after their caller had timed out, with when they were sent. */
  readonly #late = new Map<Write, number>();

  constructor(database: SimulatedDatabase, { graph, statusPage }: Simulators) {
    this.#database = database;
    this.#graph = graph;
    this.#seenMatchWrites = database.matchWrites;
    this.observations = new StatusObservations(statusPage, STALE_MS);
  }

  get #writes(): readonly Write[] {
    return this.#graph.state.writes;
  }

  report(...violations: string[]): void {
    for (const one of violations) this.violations.push(`${new Date().toISOString()} ${one}`);
  }

  campaign(id: string): CampaignRecord {
    const record = this.campaigns.get(id) ?? new CampaignRecord();
    this.campaigns.set(id, record);
    return record;
  }

  /** One direction at a time: no opposite write follows a lost one while that may still arrive. */
  onSend({ service, request }: ObservedRequest): void {
    const now = Date.now();
    this.#sentAt.set(request, now);
    if (service !== 'graph') return;
    for (const { campaign, status } of writesIn(request))
      for (const [lost, at] of this.campaign(campaign).lost)
        if (lost !== status && now - at < LATE_WRITE_MS)
          this.report(`${status} was sent for ${campaign} while ${lost} may still arrive`);
  }

  /** The network disturbs the request. @param isLost its response is lost, and it may still be carried out */
  onFault({ service, request }: ObservedRequest, isLost: boolean): void {
    if (service === 'status') this.observations.onBroken();
    if (service !== 'graph') return;
    for (const { campaign, status } of writesIn(request)) {
      const record = this.campaign(campaign);
      record.lostAt = Date.now();
      if (isLost) record.lost.set(status, Date.now());
    }
  }

  /** Classifies the writes that the request caused. */
  onServed({ service, request, isManual }: ObservedRequest): void {
    if (service === 'status') this.observations.onServed(request.path);
    const { hits } = this.#graph.faults;
    if (service === 'graph' && hits > this.#faults)
      for (const { campaign } of writesIn(request)) this.#onRefused(campaign, isManual);
    this.#faults = hits;
    const sentAt = this.#sentAt.get(request) ?? Infinity;
    for (const write of this.#writes.slice(this.#classified))
      if (isManual) this.#manual.add(write);
      else if (service === 'graph' && Date.now() - sentAt > LATE_MS) this.#late.set(write, sentAt);
    this.#classified = this.#writes.length;
  }

  /** The reconciler tries twice, and a few times more if it cannot know the answers. */
  #onRefused(campaign: string, isManual: boolean): void {
    const record = this.campaign(campaign);
    record.lostAt = Date.now();
    if (isManual || !this.refusable.has(campaign)) return;
    record.refusedTries += 1;
    if (record.refusedTries === TRIES_MAX)
      this.report(`${campaign} is written again and again, and Meta refuses it for good`);
  }

  async check(): Promise<void> {
    const after = await takeSnapshot((sql) => this.#database.query(sql));
    const before = this.lastSnapshot ?? after;
    const { matches } = this;
    const isMuchAtOnce = this.#database.matchWrites - this.#seenMatchWrites > 1;
    this.#seenMatchWrites = this.#database.matchWrites;
    const matchedBefore = new Set(THRESHOLDS.filter((one) => matches.isMatched(one)));
    this.userRequests.beginStep(before, after);
    const resumeBefore = new Map(
      before.users.flatMap((user) =>
        THRESHOLDS.map((one) => [`${user.id} ${one}`, matches.resumeAt(user, one)] as const),
      ),
    );
    this.report(
      ...this.observations.check(before.status, after.status),
      ...matches.check(before, after, isMuchAtOnce),
    );
    for (const hold of after.holds) {
      const was = before.holds.find(({ id }) => id === hold.id);
      const about = `hold ${hold.id} on ${hold.campaign_id}`;
      const { state, outcome, release_reason: reason } = hold;
      const writes = [before, after].map((one) => writeOf(one, hold));
      if (JSON.stringify(was) !== JSON.stringify(hold))
        this.onTrace(`${about}: ${JSON.stringify({ state, outcome, reason, write: writes[1] })}`);
      const wrong = [
        ...(was === undefined ? this.#newHold(hold, [before, after], matchedBefore) : []),
        ...(was !== undefined && isResumeSent(was, hold, writes)
          ? this.#resuming(hold, after, resumeBefore)
          : []),
        ...(was?.state !== 'ended' && state === 'ended' ? this.#ended(hold, [before, after]) : []),
        ...(was?.state === 'ended' && state !== 'ended' ? ['had ended and is live again'] : []),
      ];
      this.report(...wrong.map((one) => `${about} ${one}`));
    }
    for (const write of this.#writes.slice(this.#checked)) {
      const { campaign, previous, status, application } = write;
      this.onTrace(`written by ${application}: ${campaign} ${previous} -> ${status}`);
      this.#written(write, after);
    }
    this.#checked = this.#writes.length;
    this.userRequests.endStep();
    this.lastSnapshot = after;
  }

  /** Events between two checks may have come in any order: a hold is right if one order allows it. */
  #newHold(hold: HoldRow, steps: readonly Snapshot[], matchedBefore: ReadonlySet<string>): string[] {
    this.#began.set(hold.id, Date.now());
    const record = this.campaign(hold.campaign_id);
    Object.assign(record, { isTakenFromHold: false, isAmbiguous: false, refusedTries: 0 });
    if (hold.test_until !== null) return []; // A live test needs no outage.
    const wrong: string[] = [];
    const earliest = Date.now() - READ_BEFORE_MS;
    const { start_time: start, stop_time: stop } = this.#graph.state.campaigns.get(hold.campaign_id) ?? {};
    if (record.datesMovedAt <= earliest && Date.parse(stop ?? '') < earliest)
      wrong.push('was begun although the campaign has ended');
    if (record.datesMovedAt <= earliest && Date.parse(start ?? '') > Date.now())
      wrong.push('was begun although the campaign has not started');
    if (steps.every(({ status }) => this.matches.effectiveOf(status) === 'UNKNOWN'))
      wrong.push('was begun while the status was UNKNOWN');
    if (!this.matches.isMatched(hold.threshold) && !matchedBefore.has(hold.threshold))
      wrong.push('was begun although the threshold is not met');
    if (
      !steps.some(({ users }) => users.some((u) => u.id === hold.user_id && u.threshold === hold.threshold))
    )
      wrong.push(`was begun with ${hold.threshold}, which is not the user's threshold`);
    if (!steps.some((one) => isOnIn(one, hold))) wrong.push('was begun although its SmartPause is not on');
    return wrong;
  }

  /** UNKNOWN changes no resume time, so it neither allows nor forbids a resume. */
  #resuming(hold: HoldRow, { users }: Snapshot, resumeBefore: ReadonlyMap<string, number | null>): string[] {
    const user = users.find(({ id }) => id === hold.user_id);
    if (user === undefined || user.leaving !== null) return [];
    if (hold.test_until !== null)
      return Date.now() < Date.parse(hold.test_until) ? ['is resumed before the end of its test'] : [];
    const { threshold } = hold;
    const times = [
      this.matches.resumeAt(user, threshold),
      resumeBefore.get(`${user.id} ${threshold}`) ?? null,
    ];
    const at = Math.min(...times.map((time) => time ?? Infinity));
    if (at === Infinity) return ['is resumed although the threshold is met'];
    return this.matches.knowsWhenEnded(threshold) && Date.now() < at
      ? [`is resumed before ${new Date(at).toISOString()}`]
      : [];
  }

  #ended(hold: HoldRow, steps: readonly Snapshot[]): string[] {
    const { campaign_id: id } = hold;
    const wrong = this.#checkReason(hold, steps);
    if (hold.outcome !== 'released' || !MAY_STAY_PAUSED.includes(hold.release_reason ?? '')) return wrong;
    const isResumed = this.#writes
      .slice(this.#checked)
      .some((write) => write.campaign === id && write.status === 'ACTIVE');
    // A resume was sent earlier and is checked against the state at that time.
    if (!isResumed) this.campaign(id).isOurs = false;
    // A write that was in flight at the release may still arrive.
    this.campaign(id).isAmbiguous ||= steps.some(
      (one) => (writeOf(one, hold)?.unanswered_until ?? null) !== null,
    );
    return wrong;
  }

  /** A wrong reason leaves a campaign paused. */
  #checkReason(hold: HoldRow, steps: readonly Snapshot[]): string[] {
    const { campaign_id: id, outcome, release_reason: reason } = hold;
    const since = (this.#began.get(hold.id) ?? Date.now()) - READ_BEFORE_MS;
    const writes = this.#writes.filter((one) => one.campaign === id && Date.parse(one.at) >= since);
    if (outcome === 'resumed')
      return writes.some(({ status }) => status === 'ACTIVE')
        ? []
        : ['is recorded as resumed, but no write resumed it'];
    const users = steps.flatMap((step) => step.users.filter((user) => user.id === hold.user_id));
    const { leaving, platform_user_id: userId } = users.at(-1) ?? { leaving: 'gone', platform_user_id: '*' };
    const isAccessLost = leaving !== null || ['*', userId].some((one) => this.accessDoubted.has(one));
    const isOn = steps.every((one) => isOnIn(one, hold)) && !this.userRequests.mayHaveBeenOff(hold, userId);
    const wasPauseAsked = this.userRequests.wasRequested('pauseCampaign', id);
    const mayBeRefused = ['*', id].some((one) => this.refusable.has(one));
    const changedTo = (status: string): boolean =>
      writes.some((write) => write.status === status && this.#isManual(write));
    const { status = '', stop_time: stop } = this.#graph.state.campaigns.get(id) ?? {};
    const isTrue: Record<string, boolean> = {
      smartpause_off: !isOn,
      manual_pause: wasPauseAsked,
      paused_by_other: wasPauseAsked,
      // A test may be requested long after the list was read that shows the campaign running.
      paused_outside: hold.test_until !== null || changedTo('PAUSED'),
      resumed_outside: changedTo('ACTIVE'),
      archived: status === 'ARCHIVED' || status === 'DELETED',
      deleted: status === 'DELETED' || isAccessLost,
      access_lost: isAccessLost,
      pause_refused: mayBeRefused,
      resume_refused: mayBeRefused,
      ended: Date.parse(stop ?? '') <= Date.now(),
    };
    return isTrue[reason ?? ''] === false ? [`is released as ${reason ?? ''}, which did not happen`] : [];
  }

  #isManual(write: Write): boolean {
    return write.application !== APP_ID || this.#manual.has(write);
  }

  #written(write: Write, { holds }: Snapshot): void {
    const { campaign, status } = write;
    const one = this.campaign(campaign);
    const isChange = write.previous !== status;
    const { undone } = one;
    if (isChange) this.#followExternalChange(write, one);
    const hold = holds.findLast(({ campaign_id }) => campaign_id === campaign);
    const live = hold?.state === 'ended' ? undefined : hold;
    if (write.application !== APP_ID) {
      if (!isChange) return;
      one.isOurs = false;
      if (live === undefined) return;
      const isSettled = live.state === 'paused' && Date.now() - one.lostAt > IN_DOUBT_MS;
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
    else if (live !== undefined) one.isOurs = true;
    else if (MAY_STAY_PAUSED.includes(hold?.release_reason ?? '')) one.isAmbiguous = true;
    else
      this.report(
        `${campaign} was paused after its hold had ended (${hold?.release_reason ?? hold?.outcome ?? 'there was none'})`,
      );
  }

  /** An external change also wins over earlier writes of ours, whenever they arrive. */
  #followExternalChange(write: Write, one: CampaignRecord): void {
    const sentAt = this.#late.get(write) ?? Infinity;
    if (this.#isManual(write)) {
      one.externalChange = { status: write.status, at: Date.parse(write.at) };
      one.undone = null;
    } else if (one.externalChange !== null && sentAt < one.externalChange.at)
      one.undone = one.externalChange.status;
    else if (one.undone === write.status) one.undone = null;
    else one.externalChange = null;
  }
}

function writeOf({ campaign_writes: writes }: Snapshot, { campaign_id: id }: HoldRow): WriteRow | undefined {
  return writes.find(({ campaign_id }) => campaign_id === id);
}

/** A pause that is undone because it was not wanted any more is no resume. */
function isResumeSent(was: HoldRow, { state }: HoldRow, [before, after]: (WriteRow | undefined)[]): boolean {
  return state === 'resuming' && (was.state !== 'resuming' || before?.attempt !== after?.attempt);
}
