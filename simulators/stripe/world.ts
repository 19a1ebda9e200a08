import type { Faults } from '../kit/faults.ts';
import { Account } from './account.ts';
import { catchUp } from './billing/due.ts';
import { IdempotentAnswers } from './idempotency.ts';
import { seed } from './seed.ts';
import type { Form } from './wire/form.ts';
import { Deliveries } from './webhooks/deliveries.ts';

/** One call of the API as it was parsed, with its response. */
export interface ApiCall {
  /** As in Stripe's reference, such as `POST /v1/customers/:id`; null if there is no such call. */
  name: string | null;
  method: string;
  path: string;
  params: Form;
  status: number;
  answer: unknown;
}

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
    this.deliveries.clear();
    this.calls = [];
    this.idempotency.clear();
    const account = new Account();
    if (!empty) {
      for (const [id, one] of this.account.webhooks) if (one.isFromControl) account.webhooks.set(id, one);
      seed(account);
      // The seed emits no events.
      account.events.clear();
    }
    this.use(account);
  }

  /** Continues with this account. */
  use(account: Account): void {
    this.account = account;
    account.onEvent = (event) => this.deliveries.announce(account, event);
  }

  /** Runs all due work. */
  catchUp(): void {
    catchUp(this.account);
    this.deliveries.retryDue();
  }
}
