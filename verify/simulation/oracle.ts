import type { SimRequest } from '../../simulators/kit/http.ts';
import type { Write } from '../../simulators/meta-graph/state/state.ts';
import type { SimulatedDatabase } from './database.ts';
import type { Sight } from './network.ts';
import type { Outside } from './outside.ts';
import { APP } from './outside.ts';
import type { Grounds } from '../invariants/ends.ts';
import { whyNotGrounded } from '../invariants/ends.ts';
import { Matches } from '../invariants/matches.ts';
import { PageReading } from '../invariants/page-reading.ts';
import type { HoldRow, Snapshot, StatusRow } from '../invariants/snapshot.ts';
import { takeSnapshot } from '../invariants/snapshot.ts';
import { Switches, isOnIn } from '../invariants/switches.ts';
import { Wishes } from '../invariants/wishes.ts';
import { writesIn } from './writes-in.ts';

/** Ends after which a campaign may well stay paused: its person wanted that, or it is out of everybody's reach. */
const MAY_STAY_PAUSED = [
  'smartpause_off',
  'manual_pause',
  'paused_by_other',
  'access_lost',
  'archived',
  'deleted',
];

/** What one campaign has been through, as the platform saw it. */
interface Campaign {
  /** Paused by the engine, and by nobody else since. */
  isOurs: boolean;
  /** Somebody's hand was there while we held it, in a way that nobody could tell from our own doing. */
  isAmbiguous: boolean;
  /** Set by a hand that found it held and confirmed: from then on it is theirs. */
  takenFromHold: number | null;
  /** When a write of the engine last got no answer, or one that was not true. */
  lostAt: number;
  /** The last change by a hand; null: what the engine did since has another reason. */
  hand: { status: string; at: number } | null;
  /** What a hand had set, and a write of the engine undid that was sent before and arrived long after. */
  undone: string | null;
}

/** After a write without an answer nobody can tell our own doing from a hand for so long. */
const IN_DOUBT_MS = 180_000;
/** Nobody waits so long for an answer. */
const LATE_MS = 14_000;
/** A hand that comes while the list is under way on which a hold is decided is one that came since. */
const HAND_BEFORE_MS = 20_000;

export interface OracleOptions {
  database: SimulatedDatabase;
  now: () => number;
  staleMs: number;
  /** How far clocks of processes were off at most. */
  skewMs: () => number;
  outside: Outside;
}

/** Knows the rules from the text alone, looks at everything from the outside, and says what was against them. */
export class Oracle {
  readonly violations: string[] = [];
  readonly campaigns = new Map<string, Campaign>();
  readonly wishes = new Wishes();
  readonly #switches = new Switches();
  readonly reading: PageReading;
  readonly matches: Matches;
  /** Users of the platform whose access was taken or doubted; '*': anybody's. */
  readonly shaken = new Set<string>();
  readonly #options: OracleOptions;
  readonly #began = new Map<number, number>();
  /** What the engine changed, by hold. */
  readonly changes = new Map<number, string[]>();
  #faults = 0;
  #before: Snapshot | null = null;
  #seenWrites = 0;
  #seenMatchWrites: number;
  #sent: { campaign: string; status: string }[] = [];
  /** Which of the platform's writes were people's own acts, and how many of all have been looked at for that. */
  readonly #ownActs = new Set<Write>();
  readonly #sentAt = new WeakMap<SimRequest, number>();
  /** Those that arrived when nobody waited for them any more, with when they were sent. */
  readonly #late = new Map<Write, number>();
  #named = 0;

  constructor(options: OracleOptions) {
    this.#options = options;
    this.#seenMatchWrites = options.database.matchWrites;
    this.matches = new Matches(options.now, () => options.staleMs + options.skewMs());
    this.reading = new PageReading(options.outside.statusPage, options.now);
  }

  get #writes(): readonly Write[] {
    return this.#options.outside.graph.state.writes;
  }

  /** Who wants to know what is seen. */
  onTell: (line: string) => void = () => undefined;

  /** Every request of the product, when it leaves. */
  onSend({ place, request, isByHand }: Sight): void {
    this.#sentAt.set(request, this.#options.now());
    if (place === 'graph' && !isByHand) this.#sent.push(...writesIn(request));
  }

  /** What the platform did because of it has a name from then on. */
  onServed({ place, request, isByHand }: Sight): void {
    if (place === 'status') this.reading.onServed(request.path);
    const faults = this.#options.outside.graph.faults.hits;
    if (place === 'graph' && faults > this.#faults) this.onLost(request);
    this.#faults = faults;
    const sentAt = this.#sentAt.get(request) ?? Infinity;
    for (const write of this.#writes.slice(this.#named)) {
      if (isByHand) this.#ownActs.add(write);
      else if (place === 'graph' && this.#options.now() - sentAt > LATE_MS) this.#late.set(write, sentAt);
    }
    this.#named = this.#writes.length;
  }

  /** Whoever has sent it does not know, or not rightly, what came of it. */
  onLost(request: SimRequest): void {
    for (const { campaign } of writesIn(request)) this.campaign(campaign).lostAt = this.#options.now();
  }

  /** After every step. */
  async look(): Promise<void> {
    const { database, now } = this.#options;
    const after = await takeSnapshot((sql) => database.look(sql));
    const before = this.#before ?? after;
    const lastHandAt = (id: string): number | null => this.#lastHandAt(id);
    const when = { now: now(), skewMs: this.#options.skewMs(), lastHandAt };
    for (const wrong of this.#switches.look([before, after], when)) this.say(wrong);
    for (const wrong of this.wishes.judge(before, after)) this.say(wrong);
    const { matches } = this;
    const matchedBefore = new Set(before.people.map(({ id }) => id).filter((id) => matches.isMatched(id)));
    const resumeBefore = new Map(before.people.map((one) => [one.id, matches.resumeAt(one)]));
    const isMuchAtOnce = database.matchWrites - this.#seenMatchWrites > 1;
    this.#readStatus(before.status, after.status, isMuchAtOnce);
    matches.foldMatches(after, isMuchAtOnce);
    this.#seenMatchWrites = database.matchWrites;
    const levels = [matches.effectiveOf(before.status), matches.effectiveOf(after.status)];
    if (before.status.known !== after.status.known || before.status.effective !== after.status.effective)
      this.onTell(`status: known ${after.status.known}, effective ${after.status.effective}`);
    for (const hold of after.holds) {
      const was = before.holds.find(({ id }) => id === hold.id);
      if (JSON.stringify(was) !== JSON.stringify(hold)) this.onTell(tellHold(hold));
      if (was === undefined) this.#newHold(hold, [before, after], { levels, matchedBefore });
      else if (hold.state === 'resuming' && (was.state !== 'resuming' || was.sent_at !== hold.sent_at))
        this.#resuming(hold, after, resumeBefore);
      else if (hold.state === 'pausing' && was.state === 'paused' && isUnknown(levels))
        this.say(`hold ${hold.id} on ${hold.campaign_id} is paused again while the status is UNKNOWN`);
      if (was?.state !== 'ended' && hold.state === 'ended') this.#ended(hold, [before, after]);
      if (was?.state === 'ended' && hold.state !== 'ended')
        this.say(`hold ${hold.id} on ${hold.campaign_id} had ended and is live again`);
    }
    this.#oneLiveHoldEach(after);
    for (const sent of this.#sent.splice(0)) this.#wasSent(sent, [before, after]);
    const writes = this.#writes;
    for (; this.#seenWrites < writes.length; this.#seenWrites += 1) {
      const write = writes[this.#seenWrites];
      if (write === undefined) continue;
      const { campaign, previous, status, application } = write;
      this.onTell(`written by ${application}: ${campaign} ${previous} -> ${status}`);
      this.#written(write, after, now());
    }
    this.#before = after;
  }

  campaign(id: string): Campaign {
    const known = this.campaigns.get(id) ?? {
      isOurs: false,
      isAmbiguous: false,
      takenFromHold: null,
      lostAt: -Infinity,
      hand: null,
      undone: null,
    };
    this.campaigns.set(id, known);
    return known;
  }

  get lastSnapshot(): Snapshot | null {
    return this.#before;
  }

  say(violation: string): void {
    this.violations.push(`${new Date(this.#options.now()).toISOString()} ${violation}`);
  }

  #readStatus(before: StatusRow, status: StatusRow, isMuchAtOnce: boolean): void {
    const isRead = status.checked_at !== null && before.checked_at !== status.checked_at;
    const misread = isRead ? this.reading.judge(status) : null;
    if (misread !== null) this.say(misread);
    const known = this.matches.foldStatus(before, status, isMuchAtOnce);
    if (status.known !== known) this.say(`the level is ${status.known}, by the text ${known}`);
  }

  /** What comes together between two looks may have come in either order: right is what is right in one of them. */
  #newHold(
    hold: HoldRow,
    snapshots: readonly Snapshot[],
    { levels, matchedBefore }: { levels: readonly string[]; matchedBefore: ReadonlySet<number> },
  ): void {
    const about = `hold ${hold.id} on ${hold.campaign_id}`;
    if (isUnknown(levels)) this.say(`${about} was begun while the status was UNKNOWN`);
    const isMatched = this.matches.isMatched(hold.person_id);
    if (!isMatched && !matchedBefore.has(hold.person_id))
      this.say(`${about} was begun although the threshold is not met`);
    this.#began.set(hold.id, this.#options.now());
    if (!snapshots.some((one) => isOnIn(one, hold)))
      this.say(`${about} was begun although its SmartPause is not on`);
    const taken = this.campaign(hold.campaign_id);
    taken.takenFromHold = null;
    taken.isAmbiguous = false;
  }

  /** UNKNOWN changes no resume time, so it neither allows nor forbids a resume. */
  #resuming(hold: HoldRow, { people }: Snapshot, resumeBefore: ReadonlyMap<number, number | null>): void {
    const person = people.find(({ id }) => id === hold.person_id);
    if (person === undefined || person.leaving !== null || this.#isAskedFor(hold)) return;
    const about = `hold ${hold.id} on ${hold.campaign_id}`;
    const times = [this.matches.resumeAt(person), resumeBefore.get(person.id) ?? null].filter(
      (at) => at !== null,
    );
    const at = times.length === 0 ? null : Math.min(...times);
    if (at === null) this.say(`${about} is resumed although the threshold is met`);
    else if (this.matches.knowsWhenEnded(person.id) && this.#options.now() + this.#options.skewMs() < at)
      this.say(`${about} is resumed before ${new Date(at).toISOString()}`);
  }

  #ended(hold: HoldRow, snapshots: readonly Snapshot[]): void {
    const doubt = whyNotGrounded(hold, this.#groundsOf(hold, snapshots));
    if (doubt !== null) this.say(`hold ${hold.id} on ${hold.campaign_id} ${doubt}`);
    if (hold.outcome !== 'let_go' || !MAY_STAY_PAUSED.includes(hold.reason ?? '')) return;
    const isResumed = this.#writes
      .slice(this.#seenWrites)
      .some((write) => write.campaign === hold.campaign_id && write.status === 'ACTIVE');
    // What was sent to resume it came before, and is judged as it was then.
    if (!isResumed) this.campaign(hold.campaign_id).isOurs = false;
    // What was under way when it was let go may still arrive.
    this.campaign(hold.campaign_id).isAmbiguous ||= hold.in_doubt;
  }

  #groundsOf(hold: HoldRow, snapshots: readonly Snapshot[]): Grounds {
    const { outside, now, skewMs } = this.#options;
    const since = (this.#began.get(hold.id) ?? now()) - HAND_BEFORE_MS - skewMs();
    const users = snapshots.flatMap(({ people }) => people.filter(({ id }) => id === hold.person_id));
    const [{ leaving, platform_user_id: userId } = { leaving: 'gone', platform_user_id: '*' }] =
      users.toReversed();
    return {
      writes: this.#writes.filter(
        (write) => write.campaign === hold.campaign_id && Date.parse(write.at) >= since,
      ),
      isByHand: (write) => this.#isByHand(write),
      wasPauseAsked: this.wishes.wasAsked('pauseCampaign', hold.campaign_id),
      isOn:
        !this.#switches.wasOff(hold) &&
        snapshots.every((one) => isOnIn(one, hold)) &&
        !this.wishes.mayHaveBeenOff(hold.campaign_id, userId),
      status: outside.graph.state.campaigns.get(hold.campaign_id)?.status,
      wasAccessLost: leaving !== null || this.shaken.has(userId) || this.shaken.has('*'),
    };
  }

  /** They have resumed it by hand, and what undoes that is taken back. */
  #isAskedFor({ given_up, campaign_id: id }: HoldRow): boolean {
    const since = this.#options.now() - IN_DOUBT_MS - this.#options.skewMs();
    const isResumed = this.#writes.some(
      (write) =>
        write.campaign === id &&
        write.status === 'ACTIVE' &&
        this.#isByHand(write) &&
        Date.parse(write.at) > since,
    );
    return given_up === 'smartpause_off' && isResumed;
  }

  #lastHandAt(campaign: string): number | null {
    const last = this.#writes.findLast((write) => write.campaign === campaign && this.#isByHand(write));
    return last === undefined ? null : Date.parse(last.at);
  }

  #isByHand(write: Write): boolean {
    return write.application !== APP.id || this.#ownActs.has(write);
  }

  #oneLiveHoldEach({ holds }: Snapshot): void {
    const live = holds.filter(({ state }) => state !== 'ended').map((hold) => hold.campaign_id);
    const twice = live.find((id, index) => live.indexOf(id) !== index);
    if (twice !== undefined) this.say(`campaign ${twice} is held twice`);
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
    if (meant.length === 0) this.say(`${status} was sent for ${campaign}, which is not held for that`);
    const stays = (id: number): boolean =>
      after.people.some((person) => person.id === id && person.leaving === null);
    const isOff = (hold: HoldRow): boolean =>
      !this.#isAskedFor(hold) && stays(hold.person_id) && !snapshots.some((one) => isOnIn(one, hold));
    if (meant.length > 0 && meant.every(isOff))
      this.say(`${status} was sent for ${campaign}, whose SmartPause is off`);
  }

  #written(write: Write, { holds }: Snapshot, now: number): void {
    const one = this.campaign(write.campaign);
    const isChange = write.previous !== write.status;
    const isHandUndone = one.undone !== null;
    if (isChange) this.#judgeHand(write, one);
    const hold = holds.findLast(({ campaign_id }) => campaign_id === write.campaign);
    const live = hold?.state === 'ended' ? undefined : hold;
    if (write.application !== APP.id) {
      this.#byHand(write, one, { live, now });
      return;
    }
    if (this.#ownActs.has(write)) {
      if (isChange) one.isOurs = false;
      // Found paused already, or carried out when they had been told that it failed: either may count as theirs.
      const name = write.status === 'PAUSED' ? 'pauseCampaign' : 'resumeCampaign';
      if (!isChange || !this.wishes.isAsked(name, write.campaign)) one.isAmbiguous = true;
      return;
    }
    if (!isChange) return;
    if (hold !== undefined) this.changes.set(hold.id, [...(this.changes.get(hold.id) ?? []), write.status]);
    if (write.status === 'PAUSED') {
      if (one.takenFromHold !== null && !one.isAmbiguous)
        this.say(`${write.campaign} was paused again although somebody had resumed it by hand`);
      if (isHandUndone && one.undone === null) one.isOurs = false;
      else if (live !== undefined || hold?.reason === 'not_needed') one.isOurs = true;
      else if (MAY_STAY_PAUSED.includes(hold?.reason ?? '')) one.isAmbiguous = true;
      else
        this.say(
          `${write.campaign} was paused after its hold had ended (${hold?.reason ?? hold?.outcome ?? ''})`,
        );
    } else {
      // A pause by hand that was said to have failed is none.
      const wasDenied = this.wishes.wasDenied('pauseCampaign', write.campaign);
      // What was sent before their pause and arrives after it is judged by what comes of it.
      const isLate = one.undone === 'PAUSED';
      if (!one.isOurs && !one.isAmbiguous && !wasDenied && !isLate)
        this.say(`${write.campaign} was resumed although it was not us who had paused it`);
      one.isOurs = false;
    }
  }

  /** A hand wins also over what the engine had sent before, whenever that arrives. */
  #judgeHand(write: Write, one: Campaign): void {
    const at = Date.parse(write.at);
    if (this.#isByHand(write)) {
      one.hand = { status: write.status, at };
      one.undone = null;
      return;
    }
    const sentAt = this.#late.get(write);
    if (one.hand !== null && sentAt !== undefined && sentAt < one.hand.at) one.undone = one.hand.status;
    else if (one.undone === write.status) one.undone = null;
    else one.hand = null;
  }

  #byHand(write: Write, one: Campaign, { live, now }: { live: HoldRow | undefined; now: number }): void {
    if (write.previous === write.status) return;
    one.isOurs = false;
    if (live === undefined) return;
    const isSettled = live.state === 'paused' && now - one.lostAt > IN_DOUBT_MS;
    if (write.status !== 'PAUSED' && isSettled) one.takenFromHold = now;
    else one.isAmbiguous = true;
  }
}

function isUnknown(levels: readonly string[]): boolean {
  return levels.every((level) => level === 'UNKNOWN');
}

function tellHold({ id, campaign_id, state, outcome, reason, in_doubt }: HoldRow): string {
  const end = outcome === null ? '' : ` ${outcome} ${reason ?? ''}`;
  return `hold ${id} on ${campaign_id}: ${state}${end}${in_doubt ? ', in doubt' : ''}`;
}
