import { z } from 'zod';
import type { Account } from '../account.ts';
import { newestFirst } from '../account.ts';
import { invalid } from '../errors.ts';
import { change, emit } from '../events.ts';
import { newId } from '../ids.ts';
import type { Price } from '../objects.ts';
import { decimal } from '../objects.ts';
import { page, paginate } from '../wire/lists.ts';
import { emptyable, flag, integer, metadata, text, withMetadata } from '../wire/params.ts';
import type { Route } from './route.ts';
import { find, route } from './route.ts';

const interval = z.enum(['day', 'week', 'month', 'year']);
const created = z.strictObject({
  active: flag.optional(),
  currency: text,
  lookup_key: text.optional(),
  metadata: metadata.optional(),
  nickname: text.optional(),
  product: text,
  recurring: z.strictObject({ interval, interval_count: integer.optional() }).optional(),
  tax_behavior: z.enum(['exclusive', 'inclusive', 'unspecified']).optional(),
  transfer_lookup_key: flag.optional(),
  unit_amount: integer,
});
const updated = z.strictObject({
  active: flag.optional(),
  lookup_key: emptyable(text).optional(),
  metadata: metadata.optional(),
  nickname: emptyable(text).optional(),
  transfer_lookup_key: flag.optional(),
});
const listed = z.strictObject({
  ...page,
  active: flag.optional(),
  currency: text.optional(),
  lookup_keys: z.array(text).optional(),
  product: text.optional(),
  type: z.enum(['one_time', 'recurring']).optional(),
});

export const priceRoutes: Route[] = [
  route('POST', '/v1/prices', created, (params, { account }) => createPrice(account, params)),
  route('GET', '/v1/prices', listed, (asked, { account, path }) => {
    const { active, currency, lookup_keys: keys, product, type } = asked;
    const wanted = newestFirst(account.prices).filter(
      (price) =>
        (active === undefined || price.active === active) &&
        (currency === undefined || price.currency === currency) &&
        (keys === undefined || keys.includes(price.lookup_key ?? '')) &&
        (product === undefined || price.product === product) &&
        (type === undefined || price.type === type),
    );
    return paginate(wanted, asked, path);
  }),
  route('GET', '/v1/prices/:id', z.strictObject({}), (_, { account, id }) =>
    find(account.prices, 'price', id),
  ),
  route('POST', '/v1/prices/:id', updated, (params, { account, id }) => {
    const price = find(account.prices, 'price', id);
    if (typeof params.lookup_key === 'string')
      claimLookupKey(account, params.lookup_key, params.transfer_lookup_key, price);
    change(account, 'price.updated', price, {
      active: params.active ?? price.active,
      lookup_key: params.lookup_key === undefined ? price.lookup_key : params.lookup_key,
      metadata: withMetadata(price.metadata, params.metadata),
      nickname: params.nickname === undefined ? price.nickname : params.nickname,
    });
    return price;
  }),
];

export function createPrice(account: Account, params: z.infer<typeof created>, id = newId('price')): Price {
  find(account.products, 'product', params.product, 'product');
  if (params.lookup_key !== undefined) claimLookupKey(account, params.lookup_key, params.transfer_lookup_key);
  const { recurring } = params;
  const price: Price = {
    id,
    object: 'price',
    active: params.active ?? true,
    billing_scheme: 'per_unit',
    created: account.now(),
    currency: params.currency.toLowerCase(),
    custom_unit_amount: null,
    livemode: false,
    lookup_key: params.lookup_key ?? null,
    metadata: withMetadata({}, params.metadata),
    nickname: params.nickname ?? null,
    product: params.product,
    recurring:
      recurring === undefined
        ? null
        : {
            interval: recurring.interval,
            interval_count: recurring.interval_count ?? 1,
            meter: null,
            trial_period_days: null,
            usage_type: 'licensed',
          },
    tax_behavior: params.tax_behavior ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: recurring === undefined ? 'one_time' : 'recurring',
    unit_amount: params.unit_amount,
    unit_amount_decimal: decimal(params.unit_amount),
  };
  account.prices.set(price.id, price);
  emit(account, 'price.created', price);
  return price;
}

/** A lookup key belongs to one price; it moves only if asked to. */
function claimLookupKey(account: Account, key: string, mayTransfer = false, owner?: Price): void {
  const holder = [...account.prices.values()].find((price) => price.lookup_key === key && price !== owner);
  if (holder === undefined) return;
  if (!mayTransfer) {
    const message = `A price (\`${holder.id}\`) already uses that lookup key.`;
    throw invalid(message, 'lookup_key', 'resource_already_exists');
  }
  change(account, 'price.updated', holder, { lookup_key: null });
}
