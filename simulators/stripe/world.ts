import type { Faults } from '../kit/faults.ts';
import { Account } from './account.ts';
import { ApiLog } from './api-log.ts';
import { catchUp } from './billing/due.ts';
import { IdempotentAnswers } from './idempotency.ts';
import { seed } from './seed.ts';
import { Deliveries } from './webhooks/deliveries.ts';

/** The simulator as a whole: the account, what was told of it, and what was asked. */
export class StripeWorld {
  account = new Account();
  readonly log = new ApiLog();
  readonly idempotency = new IdempotentAnswers();
  readonly deliveries: Deliveries;
  readonly faults: Faults;
  readonly url: () => string;

  constructor(faults: Faults, url: () => string) {
    this.faults = faults;
    this.url = url;
    this.deliveries = new Deliveries(faults, () => this.account);
    this.reset({ empty: false });
  }

  /** A fresh account; endpoints that the control door registered stay registered. */
  reset({ empty }: { empty: boolean }): void {
    const { wiredEndpoints, webhookEndpoints, webhookSecrets } = this.account;
    this.deliveries.clear();
    this.log.clear();
    this.idempotency.clear();
    this.account = new Account();
    if (empty) {
      this.#listen();
      return;
    }
    for (const id of wiredEndpoints) {
      const endpoint = webhookEndpoints.get(id);
      if (endpoint === undefined) continue;
      this.account.wiredEndpoints.add(id);
      this.account.webhookEndpoints.set(id, endpoint);
      this.account.webhookSecrets.set(id, webhookSecrets.get(id) ?? '');
    }
    // What was there before anybody came is no news.
    seed(this.account);
    this.account.events.clear();
    this.#listen();
  }

  /** Goes on with an account of before. */
  goOn(account: Account): void {
    this.account = account;
    this.#listen();
  }

  /** Time has passed, or has been moved: what is due is done. */
  catchUp(): void {
    catchUp(this.account);
    this.deliveries.retryDue();
  }

  #listen(): void {
    const { account } = this;
    account.onEvent = (event) => this.deliveries.announce(account, event);
  }
}
