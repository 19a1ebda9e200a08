import type { ApiCall } from '../api-log.ts';
import type { StripeEvent } from '../objects.ts';
import type { Sample } from './declarations.ts';
import { checkDeclarations } from './declarations.ts';
import { checkRequests } from './requests.ts';
import { sampleOf } from './samples.ts';

interface Told {
  calls(): Promise<ApiCall[]>;
  events(): Promise<StripeEvent[]>;
}

/**
 * Collects what was said between a program and the simulated Stripe, to hold it against the SDK's declarations: each
 * request that was accepted, each reply and each event. To be recorded before a reset.
 */
export class Conversation {
  #samples = new Map<string, Sample>();
  #requests = new Map<string, Pick<ApiCall, 'name' | 'params'>>();

  async record(told: Told): Promise<void> {
    for (const { name, params, status, answer } of await told.calls()) {
      if (status === 200) this.#requests.set(JSON.stringify([name, params]), { name, params });
      this.#add(answer);
    }
    for (const event of await told.events()) this.#add(event);
  }

  /** What is wrong with any of it; empty: nothing. */
  async check(): Promise<string[]> {
    const requests = await checkRequests([...this.#requests.values()]);
    return [...requests, ...(await checkDeclarations([...this.#samples.values()]))];
  }

  #add(body: unknown): void {
    this.#samples.set(JSON.stringify(body), sampleOf(body));
  }
}
