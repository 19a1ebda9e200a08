import { isDeepStrictEqual } from 'node:util';
import type { ApiName } from '../../src/contract/api.ts';
import type { Snapshot } from './snapshot.ts';

/** A user's request for a change. */
export interface UserRequest {
  userId: string;
  name: ApiName;
  params: Record<string, string>;
  body: Record<string, unknown>;
  /** unknown: no response, or a fault; it may have been carried out. */
  answer: 'pending' | 'done' | 'refused' | 'unknown';
  /** Whether no other request for the same target overlapped with it. */
  isAlone: boolean;
}

/** The requests of users: no setting changes without a request, and a confirmed change stands. */
export class UserRequests {
  #open: UserRequest[] = [];
  /** Since the last check. */
  #done: UserRequest[] = [];
  /** Requests that were pending or answered since the check before. */
  #underWay: UserRequest[] = [];
  #answered: UserRequest[] = [];
  readonly #requested = new Set<string>();
  readonly #lastAnswer = new Map<string, UserRequest['answer']>();

  requested(given: Pick<UserRequest, 'userId' | 'name' | 'params' | 'body'>): UserRequest {
    const ask: UserRequest = { ...given, answer: 'pending', isAlone: true };
    for (const other of this.#open) {
      if (about(other) !== about(ask)) continue;
      other.isAlone = false;
      ask.isAlone = false;
    }
    this.#open.push(ask);
    this.#requested.add(`${ask.name} ${ask.params['id'] ?? ask.userId}`);
    return ask;
  }

  answered(ask: UserRequest, answer: Exclude<UserRequest['answer'], 'pending'>): void {
    ask.answer = answer;
    this.#answered.push(ask);
    this.#lastAnswer.set(`${ask.name} ${ask.params['id'] ?? ''}`, answer);
    if (answer === 'refused') this.#open = this.#open.filter((one) => one !== ask);
    if (answer === 'done') this.#done.push(ask);
  }

  /** Whether it was ever requested: by the campaign's id, or the user's id for their settings. */
  wasRequested(name: ApiName, id: string): boolean {
    return this.#requested.has(`${name} ${id}`);
  }

  /** Whether such a request has no response yet. */
  isRequested(name: ApiName, id: string): boolean {
    return this.#open.some((ask) => ask.name === name && ask.params['id'] === id && ask.answer === 'pending');
  }

  /** Between the last two checks it may have been turned off and on again. */
  mayHaveBeenOff(campaignId: string, userId: string): boolean {
    const key = `${campaignId} for ${userId}`;
    return this.#underWay.some((ask) => about(ask) === key && wanted(ask) === 'OFF');
  }

  /** The last request for it was not confirmed. */
  wasDenied(name: ApiName, id: string): boolean {
    const answer = this.#lastAnswer.get(`${name} ${id}`);
    return answer === 'refused' || answer === 'unknown';
  }

  /** @returns the violations */
  check(before: Snapshot, after: Snapshot): string[] {
    this.#underWay = [...this.#open.filter((one) => one.answer === 'pending'), ...this.#answered];
    this.#answered = [];
    const wrong = [...this.#settings(before, after), ...this.#choices(before, after)];
    for (const ask of this.#done) this.#open = this.#open.filter((one) => one !== ask);
    this.#done = [];
    return wrong;
  }

  #settings(before: Snapshot, after: Snapshot): string[] {
    const wrong: string[] = [];
    const was = settingsOf(before);
    const is = settingsOf(after);
    for (const [key, setting] of is) {
      if (setting === was.get(key) || (setting === 'OFF' && !was.has(key))) continue;
      if (setting === 'DEACTIVATED') {
        if (was.get(key) !== 'ON' || !hasJustBeenReleased(key, before, after))
          wrong.push(`SmartPause of ${key} is deactivated without a hold that an external change has ended`);
        continue;
      }
      const wish = this.#open.find((ask) => about(ask) === key && wanted(ask) === setting);
      if (wish === undefined) wrong.push(`SmartPause of ${key} is ${setting}, which no request asked for`);
    }
    const stay = before.users.filter(
      ({ id, leaving }) => leaving === null && after.users.some((one) => one.id === id),
    );
    for (const key of was.keys()) {
      if (!is.has(key) && stay.some((one) => key.endsWith(` ${one.platform_user_id}`)))
        wrong.push(`SmartPause of ${key} is forgotten`);
    }
    for (const ask of this.#done) {
      const isThere = stay.some((one) => one.platform_user_id === ask.userId);
      if (ask.name !== 'setSmartPause' || !ask.isAlone || !isThere) continue;
      const stands = is.get(about(ask)) ?? 'OFF';
      if (stands !== wanted(ask) && stands !== 'DEACTIVATED')
        wrong.push(`SmartPause of ${about(ask)} is ${stands}, although ${wanted(ask)} was answered`);
    }
    return wrong;
  }

  #choices(before: Snapshot, after: Snapshot): string[] {
    const wrong: string[] = [];
    for (const { id, platform_user_id: userId, threshold, resume_settings } of after.users) {
      const was = before.users.find((one) => one.id === id);
      const userRequests = (asks: readonly UserRequest[]): UserRequest[] =>
        asks.filter((ask) => ask.userId === userId && isChoice(ask));
      const suits = ({ body }: UserRequest): boolean =>
        body['outageThreshold'] === threshold && isDeepStrictEqual(body['resumeSettings'], resume_settings);
      const isSame =
        was === undefined ||
        (was.threshold === threshold && isDeepStrictEqual(was.resume_settings, resume_settings));
      if (!isSame && !userRequests(this.#open).some(suits))
        wrong.push(`the settings of ${userId} are ${threshold}, which they did not ask for`);
      const answered = userRequests(this.#done).filter((ask) => ask.isAlone);
      if (!answered.every(suits))
        wrong.push(`${userId} got a success response, but the settings are not saved`);
    }
    return wrong;
  }
}

function isChoice({ name }: UserRequest): boolean {
  return name === 'saveSettings' || name === 'initialize';
}

function about(ask: UserRequest): string {
  return isChoice(ask) ? ask.userId : `${ask.params['campaignId'] ?? ask.name} for ${ask.userId}`;
}

function wanted({ body }: UserRequest): string {
  return body['enabled'] === true ? 'ON' : 'OFF';
}

/** An external change has just ended a hold on the campaign, or is being restored first. */
function hasJustBeenReleased(key: string, before: Snapshot, after: Snapshot): boolean {
  return after.holds.some(
    ({ id, campaign_id, reason, release }) =>
      key.startsWith(`${campaign_id} `) &&
      ['resumed_outside', 'archived', 'deleted'].includes(reason ?? release ?? '') &&
      before.holds.some((one) => one.id === id && one.state !== 'ended' && one.release === null),
  );
}

function settingsOf({ users, smart_pause }: Snapshot): Map<string, string> {
  const byId = new Map(users.map((one) => [one.id, one.platform_user_id]));
  return new Map(
    smart_pause.map((one) => [`${one.campaign_id} for ${byId.get(one.user_id) ?? '?'}`, one.setting]),
  );
}
