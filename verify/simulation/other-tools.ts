import type { GraphState, Write } from '../../simulators/meta-graph/state.ts';
import { OTHER_TOOL } from '../../simulators/meta-graph/state.ts';
import { type HoldRow, type Snapshot, matchBeginIn, saidSinceIn } from '../invariants/snapshot.ts';
import type { UserRequests } from './user-requests.ts';

const MINUTE = 60_000;
const QUARTER_MS = 15 * MINUTE;
const DAY_MS = 24 * 60 * MINUTE;
/** A pass of the reconciler that began earlier may not know the schedule, or that the tool has turned the campaign off. */
const PASS_MS = 2 * MINUTE;

type Steps = readonly [before: Snapshot, after: Snapshot];

/** What other tools do to campaigns, by what they wrote and not by what the product recognised. */
export class OtherTools {
  /** Holds that waited for a tool. */
  readonly postponed = new Set<string>();
  readonly #state: GraphState;
  readonly #userRequests: UserRequests;
  /** Since when the product has the schedule of a campaign. */
  readonly #knownSince = new Map<string, number>();
  /** When a campaign was last turned off, and until when no resume may follow. */
  readonly #off = new Map<string, { since: number; until: number }>();
  /** By campaign, when a tool's activation ended a hold. */
  readonly tookOn = new Map<string, number>();

  constructor(state: GraphState, userRequests: UserRequests) {
    this.#state = state;
    this.#userRequests = userRequests;
  }

  /** Whether the product must know the schedule. */
  isKnown(campaign: string): boolean {
    return Date.now() - (this.#knownSince.get(campaign) ?? Infinity) > PASS_MS;
  }

  onSnapshot({ schedules }: Snapshot): void {
    for (const id of this.#knownSince.keys()) if (!(id in schedules)) this.#knownSince.delete(id);
    for (const id of Object.keys(schedules))
      if (!this.#knownSince.has(id)) this.#knownSince.set(id, Date.now());
  }

  onWrite(write: Write): void {
    if (!isOfTool(write) || write.status !== 'PAUSED') return;
    const since = Date.parse(write.at);
    this.#off.set(write.campaign, { since, until: this.#onTime(write.campaign, since) + QUARTER_MS });
  }

  /** When the tool will turn the campaign on, by the clock of its ad account. */
  #onTime(campaign: string, offAt: number): number {
    for (let at = offAt + QUARTER_MS; at < offAt + DAY_MS; at += QUARTER_MS)
      if (this.#isOnTime(campaign, at)) return at;
    return offAt;
  }

  #isOnTime(campaign: string, at: number): boolean {
    const tool = this.#state.tools.find((one) => one.campaign === campaign);
    const timeZone = this.#state.accounts.get(
      this.#state.campaigns.get(campaign)?.account ?? '',
    )?.timezone_name;
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
    return tool?.on.includes(clock.format(at)) === true;
  }

  /** At that hour, by this tool or a person. */
  #isBySchedule({ campaign, at }: Write): boolean {
    const near = Array.from({ length: 33 }, (_, index) => Date.parse(at) + (index - 16) * MINUTE);
    return near.some((one) => this.#isOnTime(campaign, one));
  }

  begun(hold: HoldRow, steps: Steps): string[] {
    const { campaign_id: id, user_id: userId } = hold;
    const tookOnAt = this.tookOn.get(id);
    if (tookOnAt === undefined) return [];
    const isSameMatch = steps.every((one) => matchSince(one, hold) < tookOnAt);
    const user = steps[1].users.find((one) => one.id === userId)?.platform_user_id ?? '';
    return isSameMatch && !this.#userRequests.mayHaveTurned('on', id, user, tookOnAt)
      ? ['was begun in the match in which another tool had turned the campaign on']
      : [];
  }

  /** In the match that lasts a tool has turned the campaign on, and only the user's own word has paused it again. */
  leavesRunning(hold: HoldRow, snapshot: Snapshot): boolean {
    const { campaign_id: id, cause } = hold;
    const since = matchBeginIn(snapshot, hold);
    return cause === 'user' && since !== null && since < (this.tookOn.get(id) ?? -Infinity);
  }

  /** A resume was sent, or the hold changed otherwise. */
  followed(hold: HoldRow, was: HoldRow, isResumeSent: boolean, { users }: Snapshot): string[] {
    const { campaign_id: id, postponed_until: postponed } = hold;
    const off = this.#off.get(id);
    const isLeaving = users.find((one) => one.id === hold.user_id)?.leaving !== null;
    if (postponed !== null && hold.state !== 'ended') this.postponed.add(hold.key);
    if (off === undefined || hold.test_until !== null || isLeaving || !this.isKnown(id)) return [];
    if (Date.now() < off.since + MINUTE || Date.now() >= off.until) return [];
    const until = new Date(off.until).toISOString();
    if (isResumeSent) return [`is resumed while another tool has the campaign off, until ${until}`];
    const isNew = postponed !== null && postponed !== was.postponed_until;
    return isNew && Date.parse(postponed) !== off.until
      ? [`is postponed until ${postponed}, and another tool leaves it until ${until}`]
      : [];
  }

  /** @param writes since the hold began @param isLogDoubted the product may not see who made them */
  ended(hold: HoldRow, writes: readonly Write[], [before, after]: Steps, isLogDoubted: boolean): string[] {
    const { campaign_id: id, release_reason: reason } = hold;
    const resumes = writes.filter(({ status }) => status === 'ACTIVE');
    if (reason === 'resumed_by_schedule') {
      if (hold.test_until === null) this.tookOn.set(id, Date.now());
      const settings = (one: Snapshot, wanted: string): number[] =>
        one.smartpause_settings
          .filter(({ campaign_id, setting }) => campaign_id === id && setting === wanted)
          .map(({ user_id }) => user_id);
      const off = settings(after, 'DEACTIVATED');
      return [
        ...(resumes.some((one) => isOfTool(one) || this.#isBySchedule(one))
          ? []
          : [`is released as ${reason}, which did not happen`]),
        ...(settings(before, 'ON').some((user) => off.includes(user))
          ? ['was ended by another tool, and SmartPause is off']
          : []),
      ];
    }
    const isOnlyTool = resumes.length > 0 && resumes.every(isOfTool) && this.isKnown(id);
    const mayBeOther = isLogDoubted || this.#userRequests.wasRequested('resumeCampaign', id);
    return reason === 'resumed_outside' && hold.test_until === null && isOnlyTool && !mayBeOther
      ? ['turned SmartPause off for what the schedule of another tool did']
      : [];
  }
}

/** Of the matches that the hold may belong to the last one: with early warnings, or that of the user's own word. */
function matchSince(snapshot: Snapshot, hold: HoldRow): number {
  const said = hold.cause === 'user' ? saidSinceIn(snapshot, hold) : null;
  return Math.max(matchBeginIn(snapshot, hold) ?? -Infinity, said ?? -Infinity);
}

function isOfTool({ application }: Write): boolean {
  return application === OTHER_TOOL.application;
}
