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
  /** unknown: no response, or a fault; it may have been carried out. */
  answer: 'pending' | 'done' | 'refused' | 'unknown';
  /** Between which checks it was answered. */
  step: number;
}

/** What users asked for, which explains the changes that SmartPause did not begin. */
export class UserRequests {
  readonly #all: Tracked[] = [];
  readonly #answered: Tracked[] = [];
  readonly #off = new Set<number>();
  #step = 0;

  /** @returns a function that takes the answer */
  requested(request: UserRequest): (answer: Tracked['answer']) => void {
    const tracked: Tracked = { ...request, answer: 'pending', step: Infinity };
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
    const isOff = (one: Tracked): boolean =>
      one.params['campaignId'] === campaign_id && one.userId === userId && one.body['enabled'] === false;
    const isUnderWay = ({ answer, step }: Tracked): boolean => answer === 'pending' || step === this.#step;
    return this.#off.has(id) || this.#all.some((one) => isOff(one) && isUnderWay(one));
  }

  beginStep(before: Snapshot, after: Snapshot): void {
    for (const hold of before.holds) if (!isOnIn(after, hold)) this.#off.add(hold.id);
  }

  /** After all checks of a step. */
  endStep(): void {
    this.#step += 1;
  }
}
