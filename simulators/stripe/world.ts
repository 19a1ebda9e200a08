import type { Faults } from '../kit/faults.ts';
import { Account } from './account.ts';
import { Api } from './api.ts';
import { catchUp } from './billing.ts';
import { ROUTES, seed } from './routes.ts';
import { Deliveries } from './webhooks.ts';

/** The simulator as a whole: the account, its API and its webhooks. */
export class StripeWorld {
  account = new Account();
  api = new Api(ROUTES);
  deliveries: Deliveries;
  readonly faults: Faults;
  readonly url: () => string;

  constructor(faults: Faults, url: () => string) {
    this.faults = faults;
    this.url = url;
    seed(this.account);
    this.deliveries = new Deliveries(faults, this.account);
  }

  /** A fresh account. Webhook endpoints stay, unless it is empty. */
  reset({ empty }: { empty: boolean }): void {
    const account = new Account();
    if (!empty) {
      account.endpoints = this.account.endpoints;
      seed(account);
    }
    this.use(account);
  }

  /** Continues with this account. */
  use(account: Account): void {
    this.account = account;
    this.api = new Api(ROUTES);
    this.deliveries.close();
    this.deliveries = new Deliveries(this.faults, account);
  }

  /** Runs all due work. */
  catchUp(): void {
    catchUp(this.account);
    this.deliveries.retryDue();
  }
}
