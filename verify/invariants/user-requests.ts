import type { ApiName } from '../../src/contract/api.ts';
import { type HoldRow, type Snapshot, isOnIn } from './snapshot.ts';

/** A user's request for a change. */
export interface UserRequest {
  userId: string;
  name: ApiName;
  params: Record<string, string>;
  body: Record<string, unknown>;
}

interface Tracked extends UserRequest {
  /** The campaign and user that it is about, and the setting that it asks for; null: none. */
  about: string;
  asks: string | null;
  /** unknown: no response, or a fault; it may have been carried out. */
  answer: 'pending' | 'done' | 'refused' | 'unknown';
  /** Between which checks it was answered. */
  step: number;
  /** Whether no other request for the same target overlapped with it. */
  isAlone: boolean;
}

/** No campaign's setting changes without a request, and a confirmed change stands. */
export class UserRequests {
  readonly #all: Tracked[] = [];
  readonly #answered: Tracked[] = [];
  #step = 0;
  readonly #off = new Set<number>();

  /** @returns a function that takes the answer */
  requested(request: UserRequest): (answer: Tracked['answer']) => void {
    const { name, params, body, userId } = request;
    const about = `${params['campaignId'] ?? name} for ${userId}`;
    const isToggle = name === 'setSmartPause';
    const asks = isToggle ? (body['enabled'] === true ? 'ON' : 'OFF') : null;
    const tracked: Tracked = { ...request, about, asks, answer: 'pending', step: Infinity, isAlone: true };
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

  check(before: Snapshot, after: Snapshot): string[] {
    for (const hold of before.holds) if (!isOnIn(after, hold)) this.#off.add(hold.id);
    const wrong: string[] = [];
    const [was, is] = [settingsOf(before), settingsOf(after)];
    for (const [key, setting] of is) {
      if (setting === (was.get(key) ?? 'OFF') || setting === 'DEACTIVATED') continue;
      if (!this.#open.some(({ about, asks }) => about === key && asks === setting))
        wrong.push(`the setting of ${key} is ${setting}, which no request asked for`);
    }
    for (const { about, asks, answer, step, isAlone, userId } of this.#answered) {
      const stays = [before, after].every(({ users }) =>
        users.some((one) => one.platform_user_id === userId && one.leaving === null),
      );
      const stands = is.get(about) ?? 'OFF';
      // An external change may have ended the hold since.
      if (answer !== 'done' || step !== this.#step || !isAlone || !stays || stands === 'DEACTIVATED')
        continue;
      if (asks !== null && asks !== stands)
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

/** The setting of SmartPause by campaign and user. */
function settingsOf({ users, smartpause_settings: settings }: Snapshot): Map<string, string> {
  const userOf = new Map(users.map((one) => [one.id, one.platform_user_id]));
  return new Map(
    settings.map((one) => [`${one.campaign_id} for ${userOf.get(one.user_id) ?? '?'}`, one.setting]),
  );
}
