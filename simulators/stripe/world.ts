import type { Faults } from '../kit/faults.ts';
import { Account } from './account.ts';
import type { ApiCall } from './api-log.ts';
import { catchUp } from './billing/due.ts';
import { IdempotentAnswers } from './idempotency.ts';
import { seed } from './seed.ts';
import { Deliveries } from './webhooks/deliveries.ts';

/** The simulator as a whole: the account, its deliveries, and the log of API calls. */
export class StripeWorld {
  account = new Account();
  /** The newest calls, for assertions and for the check against the SDK's declarations. */
  calls: ApiCall[] = [];
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

  /** A fresh account. Endpoints of the control API stay, unless it is empty. */
  reset({ empty }: { empty: boolean }): void {
    const { wiredEndpoints, webhookEndpoints, webhookSecrets } = this.account;
    this.deliveries.clear();
    this.calls = [];
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
    // The seed announces nothing.
    seed(this.account);
    this.account.events.clear();
    this.#listen();
  }

  /** Continues with a stored account. */
  goOn(account: Account): void {
    this.account = account;
    this.#listen();
  }

  /** Runs everything that has fallen due. */
  catchUp(): void {
    catchUp(this.account);
    this.deliveries.retryDue();
  }

  #listen(): void {
    const { account } = this;
    account.onEvent = (event) => this.deliveries.announce(account, event);
  }
}
