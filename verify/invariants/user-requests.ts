import { isDeepStrictEqual } from 'node:util';
import type { ApiName } from '../../src/contract/api.ts';
import type { HoldRow, Snapshot, UserRow } from './snapshot.ts';
import type { RuleClock } from './status.ts';

/** A user's request for a change. */
export interface UserRequest {
  userId: string;
  name: ApiName;
  params: Record<string, string>;
  body: Record<string, unknown>;
}

interface Tracked extends UserRequest {
  /** unknown: no response, or a fault; it may have been carried out. */
  answer: 'pending' | 'done' | 'refused' | 'unknown';
  /** Between which checks it was answered. */
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

  constructor(clock: RuleClock) {
    this.#clock = clock;
  }

  /** @returns a function that takes the answer */
  requested(request: UserRequest): (answer: Tracked['answer']) => void {
    const tracked: Tracked = { ...request, answer: 'pending', step: Infinity, isAlone: true };
    for (const other of this.#open.filter((one) => about(one) === about(tracked)))
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
    return this.#off.has(id) || this.#all.some((one) => about(one) === key && !isOn(one) && isUnderWay(one));
  }

  /** @param lastExternalAt the last manual or external change of a campaign */
  check(before: Snapshot, after: Snapshot, lastExternalAt: (campaign: string) => number | null): string[] {
    for (const hold of before.holds) if (!isOnIn(after, hold)) this.#off.add(hold.id);
    return [...this.#checkSettings(before, after, lastExternalAt), ...this.#checkChoices(before, after)];
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

  get #done(): Tracked[] {
    return this.#answered.filter(
      ({ answer, step, isAlone }) => answer === 'done' && step === this.#step && isAlone,
    );
  }

  #checkSettings(
    before: Snapshot,
    after: Snapshot,
    lastExternalAt: (campaign: string) => number | null,
  ): string[] {
    const wrong: string[] = [];
    const was = settingsOf(before);
    const is = settingsOf(after);
    for (const [key, setting] of is) {
      const last = was.get(key) ?? 'OFF';
      if (setting === last) continue;
      if (setting === 'ON') this.#onSince.set(key, isHeld(key, before) ? this.#clock.now() : -Infinity);
      if (setting === 'DEACTIVATED') {
        if (last !== 'ON' || !hasJustBeenReleased(key, before, after))
          wrong.push(`SmartPause of ${key} is deactivated without a hold that an external change has ended`);
        const externalAt = lastExternalAt(campaignOf(key)) ?? Infinity;
        if (externalAt < (this.#onSince.get(key) ?? -Infinity) - BEFORE_MS - this.#clock.skewMs())
          wrong.push(`SmartPause of ${key} is deactivated for an external change before it was turned on`);
      } else if (!this.#open.some((one) => about(one) === key && isOn(one) === (setting === 'ON')))
        wrong.push(`SmartPause of ${key} is ${setting}, which no request asked for`);
    }
    const stay = before.users.filter(
      ({ id, leaving }) => leaving === null && after.users.some((one) => one.id === id),
    );
    for (const key of was.keys())
      if (!is.has(key) && stay.some((user) => key.endsWith(` ${user.platform_user_id}`)))
        wrong.push(`SmartPause of ${key} is forgotten`);
    for (const done of this.#done) {
      const isThere = stay.some((user) => user.platform_user_id === done.userId);
      const stands = is.get(about(done)) ?? 'OFF';
      if (done.name !== 'setSmartPause' || !isThere || stands === 'DEACTIVATED') continue;
      if (isOn(done) !== (stands === 'ON'))
        wrong.push(`SmartPause of ${about(done)} is ${stands}, which is not what was answered`);
    }
    return wrong;
  }

  #checkChoices(before: Snapshot, after: Snapshot): string[] {
    return after.users.flatMap((user) => {
      const was = before.users.find(({ id }) => id === user.id);
      const isSame = was === undefined || isDeepStrictEqual(choicesOf(was), choicesOf(user));
      const isOwn = (one: Tracked): boolean => isChoice(one) && one.userId === user.platform_user_id;
      const suits = ({ body }: Tracked): boolean =>
        isDeepStrictEqual([body['outageThreshold'], body['resumeSettings']], choicesOf(user));
      if (!isSame && !this.#open.some((one) => isOwn(one) && suits(one)))
        return [`the settings of ${user.platform_user_id} are ${user.threshold}, which no request asked for`];
      return this.#done.every((one) => !isOwn(one) || suits(one))
        ? []
        : [`${user.platform_user_id} got a success response, but the settings are not saved`];
    });
  }
}

export function isOnIn({ smart_pause }: Snapshot, hold: Pick<HoldRow, 'campaign_id' | 'user_id'>): boolean {
  return smart_pause.some(
    (sp) => sp.setting === 'ON' && sp.campaign_id === hold.campaign_id && sp.user_id === hold.user_id,
  );
}

function choicesOf({ threshold, resume_settings }: UserRow): unknown[] {
  return [threshold, resume_settings];
}

function isChoice({ name }: UserRequest): boolean {
  return name === 'saveSettings' || name === 'initialize';
}

function about(request: UserRequest): string {
  const { name, params, userId } = request;
  return isChoice(request) ? userId : `${params['campaignId'] ?? name} for ${userId}`;
}

function isOn({ body }: UserRequest): boolean {
  return body['enabled'] === true;
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

/** By campaign and user. */
function settingsOf({ users, smart_pause }: Snapshot): Map<string, string> {
  const userOf = new Map(users.map((one) => [one.id, one.platform_user_id]));
  return new Map(
    smart_pause.map((one) => [`${one.campaign_id} for ${userOf.get(one.user_id) ?? '?'}`, one.setting]),
  );
}
