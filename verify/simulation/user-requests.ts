import type { ApiName } from '../../src/contract/api.ts';

/** A user's request for a change of a campaign. */
interface UserRequest {
  name: ApiName;
  userId: string;
  campaign: string;
  /** Of `setSmartPause`. */
  enabled: boolean;
  /** unknown: no response, or a fault; it may have been carried out. */
  answer: 'pending' | 'done' | 'refused' | 'unknown';
  answeredAt: number;
}

/** What users asked for, which explains the changes that SmartPause did not begin. */
export class UserRequests {
  readonly #all: UserRequest[] = [];

  /** @returns a function that takes the answer */
  add(request: Omit<UserRequest, 'answer' | 'answeredAt'>): (answer: UserRequest['answer']) => void {
    const tracked: UserRequest = { ...request, answer: 'pending', answeredAt: Infinity };
    this.#all.push(tracked);
    return (answer) => void Object.assign(tracked, { answer, answeredAt: Date.now() });
  }

  #of(name: ApiName, campaign: string): UserRequest[] {
    return this.#all.filter((one) => one.name === name && one.campaign === campaign);
  }

  wasRequested(name: ApiName, campaign: string): boolean {
    return this.#of(name, campaign).length > 0;
  }

  /** Whether such a request has no response yet. */
  isPending(name: ApiName, campaign: string): boolean {
    return this.#of(name, campaign).some(({ answer }) => answer === 'pending');
  }

  /** The last answered request for it was not confirmed. */
  wasDenied(name: ApiName, campaign: string): boolean {
    const answered = this.#of(name, campaign).filter(({ answer }) => answer !== 'pending');
    const last = answered.toSorted((a, b) => a.answeredAt - b.answeredAt).at(-1);
    return last !== undefined && last.answer !== 'done';
  }

  /** Whether the user may have turned SmartPause on or off since then. */
  mayHaveTurned(to: 'on' | 'off', campaign: string, user: string, since: number): boolean {
    return this.#of('setSmartPause', campaign).some(
      ({ userId, enabled, answeredAt }) =>
        userId === user && enabled === (to === 'on') && answeredAt >= since,
    );
  }
}
