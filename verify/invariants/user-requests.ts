import type { ApiName } from '../../src/contract/api.ts';
import { type HoldRow, type Snapshot, isOnIn } from './snapshot.ts';
import type { RuleClock } from './status.ts';

/** A user's request for a change. */
export interface UserRequest {
  userId: string;
  name: ApiName;
  params: Record<string, string>;
  body: Record<string, unknown>;
}

interface Tracked extends UserRequest {
  /** The setting that it changes, and the value that it asks for; null: none. */
  about: string;
  asks: string | null;
  /** unknown: no response, or a fault; it may have been carried out. */
  answer: 'pending' | 'done' | 'refused' | 'unknown';
  /** Between which checks it was sent, and answered. */
  since: number;
  step: number;
  /** Whether no other request for the same target overlapped with it. */
  isAlone: boolean;
}

/** An external change during a list read may be older than the user's request. */
const BEFORE_MS = 20_000;

/** No setting changes without a request, a confirmed change stands, and turning SmartPause on overrides what was before. */
export class UserRequests {
  readonly #clock: RuleClock;
  readonly #all: Tracked[] = [];
  readonly #answered: Tracked[] = [];
  #step = 0;
  /** When SmartPause was last turned on during a hold. */
  readonly #onSince = new Map<string, number>();
  readonly #off = new Set<number>();
  /** Between which checks an external change last ended a hold on the campaign. */
  readonly #releasedAt = new Map<string, number>();

  constructor(clock: RuleClock) {
    this.#clock = clock;
  }

  /** @returns a function that takes the answer */
  requested(request: UserRequest): (answer: Tracked['answer']) => void {
    const { name, params, body, userId } = request;
    const isChoice = name === 'saveSettings' || name === 'initialize';
    const isToggle = name === 'setSmartPause';
    const about = isChoice ? userId : `${params['campaignId'] ?? name} for ${userId}`;
    const chosen = isChoice ? choiceOf(body['outageThreshold'], body['resumeSettings']) : null;
    const asks = isToggle ? (body['enabled'] === true ? 'ON' : 'OFF') : chosen;
    const tracked: Tracked = {
      ...request,
      about,
      asks,
      answer: 'pending',
      since: this.#step,
      step: Infinity,
      isAlone: true,
    };
    for (const other of this.#open.filter((one) => one.about === about))
      other.isAlone = tracked.isAlone = false;
    this.#all.push(tracked);
    return (answer) => this.#answered.push(Object.assign(tracked, { answer, step: this.#step }));
  }

  /** Whether it was ever requested for the campaign. */
  wasRequested(name: ApiName, campaign: string): boolean {
    return this.#all.some((one) => one.name === name && one.params['id'] === campaign);
  }

  /** Whether such a request has no response yet. */
  isRequested(name: ApiName, campaign: string): boolean {
    return this.#all.some(
      (one) => one.name === name && one.params['id'] === campaign && one.answer === 'pending',
    );
  }

  /** The last answered request for it was not confirmed. */
  wasDenied(name: ApiName, campaign: string): boolean {
    const last = this.#answered.findLast((one) => one.name === name && one.params['id'] === campaign);
    return last !== undefined && last.answer !== 'done';
  }

  /** Whether SmartPause was off since the hold began, or may have been turned off and on since the last check. */
  mayHaveBeenOff({ id, campaign_id }: HoldRow, userId: string): boolean {
    const key = `${campaign_id} for ${userId}`;
    const isUnderWay = ({ answer, step }: Tracked) => answer === 'pending' || step === this.#step;
    return (
      this.#off.has(id) || this.#all.some((one) => one.about === key && one.asks === 'OFF' && isUnderWay(one))
    );
  }

  /** @param lastExternalAt the last manual or external change of a campaign */
  check(before: Snapshot, after: Snapshot, lastExternalAt: (campaign: string) => number | null): string[] {
    for (const hold of before.holds) if (!isOnIn(after, hold)) this.#off.add(hold.id);
    const wrong: string[] = [];
    const [was, is] = [settingsOf(before), settingsOf(after)];
    for (const [key, setting] of is) {
      if (hasJustBeenReleased(key, before, after)) this.#releasedAt.set(key, this.#step);
      const last = was.get(key) ?? 'OFF';
      // A new user begins with settings that no request asked for.
      if (setting === last || (!key.includes(' ') && !was.has(key))) continue;
      if (setting === 'ON') this.#onSince.set(key, isHeld(key, before) ? this.#clock.now() : -Infinity);
      if (setting === 'DEACTIVATED') {
        if (last !== 'ON' || !hasJustBeenReleased(key, before, after))
          wrong.push(`SmartPause of ${key} is deactivated without a hold that an external change has ended`);
        const externalAt = lastExternalAt(campaignOf(key)) ?? Infinity;
        if (externalAt < (this.#onSince.get(key) ?? -Infinity) - BEFORE_MS - this.#clock.skewMs())
          wrong.push(`SmartPause of ${key} is deactivated for an external change before it was turned on`);
      } else if (!this.#open.some(({ about, asks }) => about === key && asks === setting))
        wrong.push(`the setting of ${key} is ${setting}, which no request asked for`);
    }
    const stay = before.users
      .filter(({ id, leaving }) => leaving === null && after.users.some((one) => one.id === id))
      .map((user) => user.platform_user_id);
    for (const key of was.keys())
      if (!is.has(key) && stay.some((id) => key.endsWith(` ${id}`)))
        wrong.push(`SmartPause of ${key} is forgotten`);
    for (const { about, asks, answer, since, step, isAlone, userId } of this.#answered) {
      const isDone = answer === 'done' && step === this.#step && isAlone && stay.includes(userId);
      const stands = is.get(about) ?? 'OFF';
      const isDeactivated = stands === 'DEACTIVATED' && (this.#releasedAt.get(about) ?? -1) >= since;
      if (isDone && asks !== null && !isDeactivated && asks !== stands)
        wrong.push(`the setting of ${about} is ${stands}, which is not what was answered`);
    }
    return wrong;
  }

  /** After all checks of a step. */
  endStep(): void {
    this.#step += 1;
  }

  /** Requests that explain a change since the last check. */
  get #open(): Tracked[] {
    return this.#all.filter(
      ({ answer, step }) => answer !== 'refused' && (answer !== 'done' || step === this.#step),
    );
  }
}

function campaignOf(key: string): string {
  return key.split(' ', 1)[0] ?? '';
}

/** By the user, or by another one whose hold is doubted. */
function isHeld(key: string, { holds, users }: Snapshot): boolean {
  return holds.some(
    ({ state, campaign_id, user_id, suspected_since }) =>
      state !== 'ended' &&
      campaign_id === campaignOf(key) &&
      (suspected_since !== null ||
        users.some((user) => user.id === user_id && key.endsWith(` ${user.platform_user_id}`))),
  );
}

/** An external change has just ended a hold on the campaign, or is being restored first. */
function hasJustBeenReleased(key: string, before: Snapshot, after: Snapshot): boolean {
  return after.holds.some(
    ({ id, campaign_id, reason, release }) =>
      campaign_id === campaignOf(key) &&
      ['resumed_outside', 'archived', 'deleted'].includes(reason ?? release ?? '') &&
      before.holds.some((one) => one.id === id && one.state !== 'ended' && one.release === null),
  );
}

/** SmartPause by campaign and user, threshold and resume settings by user. */
function settingsOf({ users, smartpause_settings }: Snapshot): Map<string, string> {
  const userOf = new Map(users.map((one) => [one.id, one.platform_user_id]));
  return new Map([
    ...smartpause_settings.map(
      (one) => [`${one.campaign_id} for ${userOf.get(one.user_id) ?? '?'}`, one.setting] as const,
    ),
    ...users.map((one) => [one.platform_user_id, choiceOf(one.threshold, one.resume_settings)] as const),
  ]);
}

function choiceOf(threshold: unknown, resumeSettings: unknown): string {
  const { mode, delay } = resumeSettings as { mode: string; delay?: { value: number; unit: string } };
  return `${String(threshold)} ${mode} ${delay?.value ?? ''} ${delay?.unit ?? ''}`;
}
