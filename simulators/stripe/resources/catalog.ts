import { z } from 'zod';
import type { Account } from '../account.ts';
import { invalid } from '../errors.ts';
import { change, emit } from '../events.ts';
import { newId } from '../ids.ts';
import type { Price, Product } from '../objects.ts';
import { limit, newest } from '../wire/lists.ts';
import { flag, integer, metadata, text } from '../wire/params.ts';
import type { Route } from './route.ts';
import { find, none, route } from './route.ts';

const productParams = z.strictObject({ name: text, description: text.optional(), metadata });
const priceParams = z.strictObject({
  currency: text,
  lookup_key: text.optional(),
  product: text,
  recurring: z.strictObject({ interval: z.enum(['month', 'year']) }),
  transfer_lookup_key: flag.default(false),
  unit_amount: integer,
});
const listed = z.strictObject({
  limit,
  active: flag.optional(),
  lookup_keys: z.array(text).optional(),
});

export const catalogRoutes: Route[] = [
  route('POST', '/v1/products', productParams, (params, { account }) => createProduct(account, params)),
  route('POST', '/v1/prices', priceParams, (params, { account }) => createPrice(account, params)),
  route('GET', '/v1/prices', listed, ({ active, lookup_keys: keys, limit: size }, { account, path }) =>
    newest(
      account.prices,
      { size, path },
      (price) =>
        price.active === (active ?? price.active) && keys?.includes(price.lookup_key ?? '') !== false,
    ),
  ),
  route('GET', '/v1/prices/:id', none, (_, { account, id }) => find(account.prices, 'price', id)),
];

export function createProduct(
  account: Account,
  params: z.infer<typeof productParams>,
  id = newId('prod'),
): Product {
  const now = account.now();
  const product: Product = {
    id,
    object: 'product',
    active: true,
    created: now,
    description: params.description ?? null,
    livemode: false,
    metadata: params.metadata,
    name: params.name,
  };
  account.products.set(id, product);
  emit(account, 'product.created', product);
  return product;
}

export function createPrice(
  account: Account,
  params: z.infer<typeof priceParams>,
  id = newId('price'),
): Price {
  find(account.products, 'product', params.product, 'product');
  if (params.lookup_key !== undefined) claimLookupKey(account, params.lookup_key, params.transfer_lookup_key);
  const price: Price = {
    id,
    object: 'price',
    active: true,
    created: account.now(),
    currency: params.currency.toLowerCase(),
    livemode: false,
    lookup_key: params.lookup_key ?? null,
    metadata: {},
    product: params.product,
    recurring: {
      interval: params.recurring.interval,
      interval_count: 1,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    type: 'recurring',
    unit_amount: params.unit_amount,
  };
  account.prices.set(id, price);
  emit(account, 'price.created', price);
  return price;
}

/** A lookup key belongs to one price; it moves only on request. */
function claimLookupKey(account: Account, key: string, mayTransfer: boolean): void {
  const holder = [...account.prices.values()].find((price) => price.lookup_key === key);
  if (holder === undefined) return;
  if (!mayTransfer) {
    const message = `A price (\`${holder.id}\`) already uses that lookup key.`;
    throw invalid(message, 'lookup_key', 'resource_already_exists');
  }
  change(account, 'price.updated', holder, { lookup_key: null });
}
