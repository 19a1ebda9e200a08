import { z } from 'zod';
import type { Account } from '../account.ts';
import { newestFirst } from '../account.ts';
import { change, emit } from '../events.ts';
import { newId } from '../ids.ts';
import type { Product } from '../objects.ts';
import { page, paginate } from '../wire/lists.ts';
import { emptyable, flag, metadata, text, withMetadata } from '../wire/params.ts';
import type { Route } from './route.ts';
import { find, route } from './route.ts';

const fields = {
  active: flag.optional(),
  description: emptyable(text).optional(),
  metadata: metadata.optional(),
  statement_descriptor: text.optional(),
  url: emptyable(text).optional(),
};
const created = z.strictObject({ ...fields, id: text.optional(), name: text });
const updated = z.strictObject({ ...fields, name: text.optional(), default_price: text.optional() });
const listed = z.strictObject({ ...page, active: flag.optional(), ids: z.array(text).optional() });

export const productRoutes: Route[] = [
  route('POST', '/v1/products', created, (params, { account }) => createProduct(account, params)),
  route('GET', '/v1/products', listed, ({ active, ids, ...asked }, { account, path }) => {
    const wanted = newestFirst(account.products).filter(
      (product) => (active === undefined || product.active === active) && (ids?.includes(product.id) ?? true),
    );
    return paginate(wanted, asked, path);
  }),
  route('GET', '/v1/products/:id', z.strictObject({}), (_, { account, id }) =>
    find(account.products, 'product', id),
  ),
  route('POST', '/v1/products/:id', updated, (params, { account, id }) => {
    const product = find(account.products, 'product', id);
    change(account, 'product.updated', product, {
      active: params.active ?? product.active,
      default_price: params.default_price ?? product.default_price ?? null,
      description: params.description === undefined ? product.description : params.description,
      metadata: withMetadata(product.metadata, params.metadata),
      name: params.name ?? product.name,
      url: params.url === undefined ? product.url : params.url,
      updated: account.now(),
    });
    return product;
  }),
];

export function createProduct(account: Account, params: z.infer<typeof created>): Product {
  const now = account.now();
  const product: Product = {
    id: params.id ?? newId('prod'),
    object: 'product',
    active: params.active ?? true,
    created: now,
    default_price: null,
    description: params.description ?? null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: withMetadata({}, params.metadata),
    name: params.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: params.statement_descriptor ?? null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: now,
    url: params.url ?? null,
  };
  account.products.set(product.id, product);
  emit(account, 'product.created', product);
  return product;
}
