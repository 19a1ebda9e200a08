import type { Stripe } from 'stripe';

/** An account that the contract is tried on: the simulator's, or a sandbox of Stripe. */
export interface Stand {
  stripe: Stripe;
  product: string;
  monthly: string;
  yearly: string;
  /** A customer who is gone when the contract has been tried. */
  customer: (params?: Stripe.CustomerCreateParams) => Promise<Stripe.Customer>;
  /** A text that nobody has used before. */
  unique: (word: string) => string;
}

const RECURRING = { currency: 'usd', recurring: { interval: 'month' as const } };

/** A product and two prices of its own, so that an account in use can serve. */
export async function prepare(stripe: Stripe): Promise<Stand & { clear: () => Promise<void> }> {
  const run = `contract-${Date.now()}-${process.pid}`;
  const customers: string[] = [];
  let count = 0;
  const { id: product } = await stripe.products.create({ name: run });
  const monthly = await stripe.prices.create({ product, unit_amount: 2900, ...RECURRING });
  const yearly = await stripe.prices.create({
    product,
    unit_amount: 27_800,
    ...RECURRING,
    recurring: { interval: 'year' },
  });
  return {
    stripe,
    product,
    monthly: monthly.id,
    yearly: yearly.id,
    unique: (word) => `${run}-${word}-${(count += 1)}`,
    customer: async (params = {}) => {
      const customer = await stripe.customers.create({ description: run, ...params });
      customers.push(customer.id);
      return customer;
    },
    clear: async () => {
      for (const id of customers) await stripe.customers.del(id).catch(() => undefined);
      for (const { id } of [monthly, yearly]) await stripe.prices.update(id, { active: false });
      await stripe.products.update(product, { active: false });
    },
  };
}

/** The period that the only item of a subscription is in. */
export function periodOf({ items }: Stripe.Subscription): { start: number; end: number } {
  const [item] = items.data;
  return { start: item?.current_period_start ?? 0, end: item?.current_period_end ?? 0 };
}
