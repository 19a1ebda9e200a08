import { z } from 'zod';
import { newestFirst } from '../account.ts';
import { DAY } from '../clock.ts';
import { page, paginate } from '../wire/lists.ts';
import { flag, isWithin, range, text } from '../wire/params.ts';
import type { Route } from './route.ts';
import { find, route } from './route.ts';

/** Older events are not told any more. */
const REACH = 30 * DAY;

const listed = z.strictObject({
  ...page,
  created: range.optional(),
  delivery_success: flag.optional(),
  type: text.optional(),
  types: z.array(text).optional(),
});

export const eventRoutes: Route[] = [
  route('GET', '/v1/events', listed, (asked, { account, path }) => {
    const { type, types, delivery_success: delivered, created } = asked;
    const wanted = newestFirst(account.events).filter(
      (event) =>
        event.created > account.now() - REACH &&
        (type === undefined || matches(event.type, type)) &&
        (types?.some((one) => matches(event.type, one)) ?? true) &&
        (delivered === undefined || (event.pending_webhooks === 0) === delivered) &&
        isWithin(event.created, created),
    );
    return paginate(wanted, asked, path);
  }),
  route('GET', '/v1/events/:id', z.strictObject({}), (_, { account, id }) =>
    find(account.events, 'event', id),
  ),
];

/** `invoice.*` means all of them. */
function matches(type: string, wanted: string): boolean {
  return wanted.endsWith('*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
}
