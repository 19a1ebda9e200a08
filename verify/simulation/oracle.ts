import { type Level, meetsThreshold } from '../../src/core/smartpause/level.ts';
import { resumeTime } from '../../src/core/smartpause/resume-time.ts';
import type { SimRequest } from '../../simulators/kit/http.ts';
import type { Write } from '../../simulators/meta-graph/state.ts';
import {
  type HoldRow,
  type Snapshot,
  type WriteRow,
  isMatched,
  isOnIn,
  isSaidIn,
  isWarnedIn,
  matchEndIn,
  takeSnapshot,
} from '../invariants/snapshot.ts';
import { OtherTools } from './other-tools.ts';
import { UserRequests } from './user-requests.ts';
import { checkWarnings } from './warnings.ts';
import type { SimulatedDatabase } from './world/database.ts';
import { type ObservedRequest, writesIn } from './world/network.ts';
import { STALE_MS } from './world/process.ts';
import { type Simulators, APP_ID } from './world/simulators.ts';

/** A campaign according to Meta's write log. */
class CampaignRecord {
  /** Paused by the reconciler and unchanged since. */
  isOurs = false;
  /** A change of others cannot be distinguished from a write of ours. */
  isAmbiguous = false;
  /** When an external change resumed it while the hold was confirmed. */
  takenAt = -Infinity;
  /** When a write of this status last lost its response. */
  readonly lost = new Map<string, number>();
  /** When a write last got no response, or a wrong one. */
  lostAt = -Infinity;
  /** When others last changed it. */
  changedAt = -Infinity;
}

/** After an unconfirmed write an external change cannot be recognised for this long. */
const IN_DOUBT_MS = 180_000;
/** A write without a response may be carried out for this long. */
const LATE_WRITE_MS = 60_000;
const LATE_MS = 14_000; // Longer than any call waits for a response.
/** The list that led to a hold may have been read this long before it, from a replica that was behind. */
const READ_BEFORE_MS = 110_000;
/** Releases after which a campaign may stay paused: the user wanted that, or it is not accessible. */
const MAY_STAY_PAUSED = [
  ...['smartpause_off', 'manual_pause', 'paused_by_other', 'access_lost'],
  ...['archived', 'deleted', 'resume_refused'],
];

/** Events between two checks may have come in any order: a rule is kept if one of the two snapshots allows it. */
type Steps = readonly [before: Snapshot, after: Snapshot];
type Rule = [violation: string, isBroken: (hold: HoldRow, steps: Steps) => boolean];

const WHEN_BEGUN: Rule[] = [
  [
    'was begun while the status was UNKNOWN',
    (hold, steps) => steps.every((one) => isUnknown(one) && !isCalledFor(one, hold)),
  ],
  [
    'was begun although the threshold is not met',
    (hold, steps) => !steps.some((one) => isMatched(one, hold.threshold) || isCalledFor(one, hold)),
  ],
  [
    'was begun for an early warning that does not pause for its user',
    (hold, steps) => hold.cause === 'early_warning' && !steps.some((one) => isWarnedIn(one, hold)),
  ],
  [
    "was begun with another threshold than the user's",
    (hold, steps) => !steps.some((one) => userOf(one, hold)?.threshold === hold.threshold),
  ],
  ['was begun although its SmartPause is not on', (hold, steps) => !steps.some((one) => isOnIn(one, hold))],
];

/** Knows the rules of the specification, observes from the outside and reports violations. */
export class Oracle {
  readonly violations: string[] = [];
  readonly campaigns = new Map<string, CampaignRecord>();
  readonly userRequests = new UserRequests();
  readonly tools: OtherTools;
  /** Meta users whose access was revoked or may be; '*': every user's. */
  readonly accessDoubted = new Set<string>();
  /** Meta may have refused a write for good. */
  isRefusable = false;
  /** Entries of Meta's log may be late. */
  isLogDoubted = false;
  /** What the page really said, and since when; the last one is of now. */
  readonly #pageLevels: { at: number; level: Level }[] = [{ at: -Infinity, level: 'UP' }];
  #overriddenAt = -Infinity;
  lastSnapshot: Snapshot | null = null;
  onTrace: (line: string) => void = () => undefined;
  readonly #database: SimulatedDatabase;
  readonly #graph: Simulators['graph'];
  readonly #began = new Map<string, number>();
  readonly #wereOff = new Set<string>();
  /** Holds in which the product knew that the page meets their threshold. */
  readonly #wereMatched = new Set<string>();
  #faults = 0;
  /** How many of Meta's writes were classified, and checked. */
  #classified = 0;
  #checked = 0;
  /** Meta's writes that were manual pauses or resumes. */
  readonly #manual = new Set<Write>();
  readonly #sentAt = new WeakMap<SimRequest, number>();
  /** Writes that arrived after their caller had timed out, with when they were sent. */
  readonly #late = new Map<Write, number>();

  constructor(database: SimulatedDatabase, { graph }: Simulators) {
    this.#database = database;
    this.#graph = graph;
    this.tools = new OtherTools(graph.state, this.userRequests);
  }

  get #writes(): readonly Write[] {
    return this.#graph.state.writes;
  }

  report(...violations: string[]): void {
    for (const one of violations) this.violations.push(`${new Date().toISOString()} ${one}`);
  }

  /** The page says something else. */
  onPage(level: Level): void {
    this.#pageLevels.push({ at: Date.now(), level });
  }

  #campaign(id: string): CampaignRecord {
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
      for (const [lost, at] of this.#campaign(campaign).lost)
        if (lost !== status && now - at < LATE_WRITE_MS)
          this.report(`${status} was sent for ${campaign} while ${lost} may still arrive`);
  }

  /** The network disturbs the request. @param isLost its response is lost, and it may still be carried out */
  onFault({ service, request }: ObservedRequest, isLost: boolean): void {
    if (service !== 'graph') return;
    for (const { campaign, status } of writesIn(request)) {
      const record = this.#campaign(campaign);
      record.lostAt = Date.now();
      if (isLost) record.lost.set(status, Date.now());
    }
  }

  /** Classifies the writes that the request caused. */
  onServed({ service, request, isManual }: ObservedRequest): void {
    const { hits } = this.#graph.faults;
    if (service === 'graph' && hits > this.#faults)
      for (const { campaign } of writesIn(request)) this.#campaign(campaign).lostAt = Date.now();
    this.#faults = hits;
    const sentAt = this.#sentAt.get(request) ?? Infinity;
    for (const write of this.#writes.slice(this.#classified))
      if (write.application !== APP_ID) continue;
      else if (isManual) this.#manual.add(write);
      else if (service === 'graph' && Date.now() - sentAt > LATE_MS) this.#late.set(write, sentAt);
    this.#classified = this.#writes.length;
  }

  async check(): Promise<void> {
    const after = await takeSnapshot((sql) => this.#database.query(sql));
    const before = this.lastSnapshot ?? after;
    if ([before, after].some(({ status }) => status.override_level !== null)) this.#overriddenAt = Date.now();
    this.tools.onSnapshot(after);
    for (const write of this.#writes.slice(this.#checked)) this.tools.onWrite(write);
    this.report(...checkWarnings(before, after));
    for (const hold of after.holds) this.#checkHold(hold, [before, after]);
    for (const write of this.#writes.slice(this.#checked)) {
      const { campaign, previous, status, application } = write;
      this.onTrace(`written by ${application}: ${campaign} ${previous} -> ${status}`);
      if (application !== APP_ID || this.#manual.has(write)) this.#writtenByOthers(write, after);
      else if (previous !== status) this.#writtenByUs(write, after);
    }
    this.#checked = this.#writes.length;
    this.lastSnapshot = after;
  }

  #checkHold(hold: HoldRow, steps: Steps): void {
    const [before, after] = steps;
    const was = before.holds.find(({ key }) => key === hold.key);
    if (!isOnIn(after, hold)) this.#wereOff.add(hold.key);
    if (isMatched(after, hold.threshold)) this.#wereMatched.add(hold.key);
    const writes = steps.map((one) => writeOf(one, hold));
    const { state, outcome, release_reason: reason } = hold;
    const about = `hold ${hold.key}`;
    if (JSON.stringify(was) !== JSON.stringify(hold))
      this.onTrace(`${about}: ${JSON.stringify({ state, outcome, reason, write: writes[1] })}`);
    const [sent = 0, again = 0] = writes.map((write) => Date.parse(write?.unanswered_until ?? '') || 0);
    const isRepeated = writes[1]?.origin !== 'manual' && again > sent;
    const isResumeSent = state === 'resuming' && (was?.state !== 'resuming' || isRepeated);
    const wrong = [
      ...(was === undefined ? this.#begun(hold, steps) : []),
      ...(was !== undefined && isResumeSent ? this.#resumed(hold, steps) : []),
      ...(was === undefined ? [] : this.tools.followed(hold, was, isResumeSent, after)),
      ...(was?.state !== 'ended' && state === 'ended' ? this.#ended(hold, steps) : []),
      ...(was?.state === 'ended' && state !== 'ended' ? ['had ended and is live again'] : []),
    ];
    this.report(...wrong.map((one) => `${about} ${one}`));
  }

  #begun(hold: HoldRow, steps: Steps): string[] {
    this.#began.set(hold.key, Date.now());
    const record = this.#campaign(hold.campaign_id);
    const { takenAt } = record;
    // A change just before it may be missing in the log.
    Object.assign(record, { takenAt: -Infinity, isAmbiguous: this.isLogDoubted && record.isAmbiguous });
    if (hold.test_until !== null) return []; // A live test needs no outage.
    const wrong = WHEN_BEGUN.filter(([, isBroken]) => isBroken(hold, steps)).map(([violation]) => violation);
    const userId = userOf(steps[1], hold)?.platform_user_id ?? '';
    // An external resume turns SmartPause off for all users.
    if (takenAt > 0 && !this.userRequests.mayHaveTurned('on', hold.campaign_id, userId, takenAt))
      wrong.push('was begun although the campaign had been resumed outside');
    return [...wrong, ...this.tools.begun(hold, steps)];
  }

  #resumed(hold: HoldRow, steps: Steps): string[] {
    const isOfWord = steps.some((one) => !isSaidIn(one, hold) && this.tools.leavesRunning(hold, one));
    return isOfWord ? [] : [...resumed(hold, steps), ...this.#resumedInMatch(hold, steps)];
  }

  /** An outdated copy of the page must not end a match. */
  #resumedInMatch(hold: HoldRow, [, after]: Steps): string[] {
    const user = userOf(after, hold);
    if (user === undefined || user.leaving !== null || hold.test_until !== null) return [];
    const began = this.#began.get(hold.key) ?? Date.now();
    if (!isOnIn(after, hold) || this.#overriddenAt >= began || !this.#wereMatched.has(hold.key)) return [];
    const since = this.#pageLevels.findLastIndex(({ at }) => at <= began);
    const isMet = this.#pageLevels.slice(since).every(({ level }) => meetsThreshold(level, hold.threshold));
    return isMet ? ['is resumed into a match'] : [];
  }

  #ended(hold: HoldRow, steps: Steps): string[] {
    const record = this.#campaign(hold.campaign_id);
    if (hold.release_reason !== 'resumed_outside') record.takenAt = -Infinity;
    const mayStay = hold.outcome === 'released' && MAY_STAY_PAUSED.includes(hold.release_reason ?? '');
    const isNow = ({ campaign, status }: Write) => campaign === hold.campaign_id && status === 'ACTIVE';
    // A resume was sent earlier and is checked against the state at that time.
    if (mayStay && !this.#writes.slice(this.#checked).some(isNow)) record.isOurs = false;
    // A write that was in flight at the release may still arrive.
    if (mayStay && steps.some((one) => (writeOf(one, hold)?.unanswered_until ?? null) !== null))
      record.isAmbiguous = true;
    return this.#checkReason(hold, steps);
  }

  /** A wrong reason leaves a campaign paused. */
  #checkReason(hold: HoldRow, steps: Steps): string[] {
    const { campaign_id: id, outcome, release_reason: reason } = hold;
    const since = (this.#began.get(hold.key) ?? Date.now()) - READ_BEFORE_MS;
    const writes = this.#writes.filter((one) => one.campaign === id && Date.parse(one.at) >= since);
    if (outcome === 'resumed' && !writes.some(({ status }) => status === 'ACTIVE'))
      return ['is recorded as resumed, but no write resumed it'];
    const user = userOf(steps[1], hold) ?? userOf(steps[0], hold);
    const userId = user?.platform_user_id ?? '*';
    const isAccessLost =
      user === undefined || user.leaving !== null || ['*', userId].some((one) => this.accessDoubted.has(one));
    const wasOff =
      this.#wereOff.has(hold.key) ||
      this.userRequests.mayHaveTurned('off', id, userId, since + READ_BEFORE_MS);
    const wasPauseAsked = this.userRequests.wasRequested('pauseCampaign', id);
    const changedTo = (status: string): boolean =>
      writes.some(
        (write) => write.status === status && (write.application !== APP_ID || this.#manual.has(write)),
      );
    const status = this.#graph.state.campaigns.get(id)?.status ?? '';
    const isAbsent = reason === 'resumed_outside' && !changedTo('ACTIVE');
    if (isAbsent) return [`is released as ${reason}: SmartPause is off without a change outside`];
    const wrong = this.tools.ended(hold, writes, steps, this.isLogDoubted);
    if (wrong.length > 0) return wrong;
    const isRefused = this.accessDoubted.has('*');
    const isTrue: Record<string, boolean> = {
      smartpause_off: wasOff,
      manual_pause: wasPauseAsked,
      paused_by_other: wasPauseAsked,
      // A test may be requested long after the list was read that shows the campaign running.
      paused_outside: hold.test_until !== null || changedTo('PAUSED'),
      archived: status === 'ARCHIVED' || status === 'DELETED',
      deleted: status === 'DELETED' || isAccessLost,
      access_lost: isAccessLost,
      // A live test does not wait for a refusal to pass, nor for days who leaves.
      pause_refused: this.isRefusable || (hold.test_until !== null && isRefused),
      resume_refused: this.isRefusable || (user?.leaving != null && isRefused),
    };
    return isTrue[reason ?? ''] === false ? [`is released as ${reason ?? ''}, which did not happen`] : [];
  }

  /** In Ads Manager, or by a manual pause or resume. */
  #writtenByOthers(write: Write, { holds }: Snapshot): void {
    const { campaign, status } = write;
    const isChange = write.previous !== status;
    const record = this.#campaign(campaign);
    if (isChange) Object.assign(record, { isOurs: false, changedAt: Date.now() });
    if (this.isLogDoubted) record.isAmbiguous = true;
    if (this.#manual.has(write)) {
      // Found so already, or carried out although reported as failed: either may count as the user's.
      const name = status === 'PAUSED' ? 'pauseCampaign' : 'resumeCampaign';
      if (!isChange || !this.userRequests.isPending(name, campaign)) record.isAmbiguous = true;
      return;
    }
    const live = holds.find((hold) => hold.campaign_id === campaign && hold.state !== 'ended');
    if (!isChange || live === undefined) return;
    // After a live test SmartPause stays on.
    const isOfOutage = live.test_until === null;
    const isSettled = isOfOutage && live.state === 'paused' && Date.now() - record.lostAt > IN_DOUBT_MS;
    if (status !== 'PAUSED' && isSettled) record.takenAt = Date.now();
    else record.isAmbiguous = true;
  }

  #writtenByUs(write: Write, { holds, campaign_writes: rows }: Snapshot): void {
    const { campaign, status } = write;
    const record = this.#campaign(campaign);
    const hold = holds.findLast(({ campaign_id }) => campaign_id === campaign);
    const isLive = hold !== undefined && hold.state !== 'ended';
    // Sent before a change of others, carried out after it, and then undone.
    if ((this.#late.get(write) ?? Infinity) < record.changedAt) record.isAmbiguous = true;
    const isRestore = rows.some(
      ({ campaign_id, origin }) => campaign_id === campaign && origin === 'restore',
    );
    if (status !== 'PAUSED') {
      // A manual pause that was reported as failed does not count.
      const wasDenied = this.userRequests.wasDenied('pauseCampaign', campaign);
      if (!record.isOurs && !record.isAmbiguous && !wasDenied)
        this.report(`${campaign} was resumed although it was not us who had paused it`);
      record.isOurs = false;
      return;
    }
    if (record.takenAt > 0 && !record.isAmbiguous)
      this.report(`${campaign} was paused again although it had been resumed outside`);
    record.isOurs = isLive && !isRestore;
    if (isLive || record.isAmbiguous || isRestore) return;
    if (MAY_STAY_PAUSED.includes(hold?.release_reason ?? '')) record.isAmbiguous = true;
    else
      this.report(
        `${campaign} was paused after its hold had ended (${hold?.release_reason ?? hold?.outcome ?? 'there was none'})`,
      );
  }
}

/** UNKNOWN changes no resume time, so it neither allows nor forbids a resume. */
function resumed(hold: HoldRow, steps: Steps): string[] {
  const users = steps.flatMap((one) => userOf(one, hold) ?? []);
  if (userOf(steps[1], hold) === undefined || users.some(({ leaving }) => leaving !== null)) return [];
  if (hold.test_until !== null)
    return Date.now() < Date.parse(hold.test_until) ? ['is resumed before the end of its test'] : [];
  const { threshold, cause, decided_at: decidedAt } = hold;
  const ends = steps
    .filter((one) => !isMatched(one, threshold) && !isCalledFor(one, hold))
    .map((one) => matchEndIn(one, hold));
  if (ends.length === 0) return ['is resumed although the threshold is met'];
  // The end of the user's own word resumes what only it had paused at once.
  if (cause === 'user' && Math.min(...ends) < Date.parse(decidedAt ?? '')) return [];
  const timeZone = steps[1].time_zones[hold.campaign_id] ?? null;
  const at = Math.min(
    ...ends.flatMap((end) => users.map((user) => resumeTime(user.resume_settings, end, timeZone))),
  );
  return Date.now() < at ? [`is resumed before ${new Date(at).toISOString()}`] : [];
}

/** Beside the page: by the user's own word, or by an early warning. */
function isCalledFor(snapshot: Snapshot, hold: HoldRow): boolean {
  return isSaidIn(snapshot, hold) || isWarnedIn(snapshot, hold);
}

function isUnknown({ status: { override_level: override, true_level: level, checked_at: at } }: Snapshot) {
  return override === null && (level === 'UNKNOWN' || !(Date.now() - Date.parse(at ?? '') <= STALE_MS));
}

function userOf({ users }: Snapshot, { user_id: userId }: HoldRow): Snapshot['users'][number] | undefined {
  return users.find(({ id }) => id === userId);
}

function writeOf({ campaign_writes: rows }: Snapshot, { campaign_id: id }: HoldRow): WriteRow | undefined {
  return rows.find(({ campaign_id }) => campaign_id === id);
}
