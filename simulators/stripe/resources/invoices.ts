import { z } from 'zod';
import { newestFirst } from '../account.ts';
import { subscriptionOf } from '../billing/invoices.ts';
import { collect } from '../billing/payments.ts';
import { cardDeclined, invalid } from '../errors.ts';
import { page, paginate } from '../wire/lists.ts';
import { isWithin, range, text } from '../wire/params.ts';
import type { Route } from './route.ts';
import { find, route } from './route.ts';

const listed = z.strictObject({
  ...page,
  created: range.optional(),
  customer: text.optional(),
  status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
  subscription: text.optional(),
});

export const invoiceRoutes: Route[] = [
  route('GET', '/v1/invoices', listed, (asked, { account, path }) => {
    const { customer, status, subscription, created } = asked;
    const wanted = newestFirst(account.invoices).filter(
      (invoice) =>
        (customer === undefined || invoice.customer === customer) &&
        (status === undefined || invoice.status === status) &&
        (subscription === undefined || subscriptionOf(account, invoice)?.id === subscription) &&
        isWithin(invoice.created, created),
    );
    return paginate(wanted, asked, path);
  }),
  route('GET', '/v1/invoices/:id', z.strictObject({}), (_, { account, id }) =>
    find(account.invoices, 'invoice', id),
  ),
  route('POST', '/v1/invoices/:id/pay', z.strictObject({}), (_, { account, id }) => {
    const invoice = find(account.invoices, 'invoice', id);
    if (invoice.status === 'paid') throw invalid('Invoice is already paid');
    if (!collect(account, invoice, 'api')) throw cardDeclined();
    return invoice;
  }),
];
