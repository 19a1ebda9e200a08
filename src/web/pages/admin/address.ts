import * as z from 'zod/mini';
import { HELD_ORDERS, HELD_STATES, SEARCH_MAX } from '#contract/admin.ts';
import { STUCK_PARTS } from '#contract/failing.ts';

/** The questions that this page answers, one at a time. */
export const VIEWS = ['overview', 'held', 'stuck', 'status', 'queue'] as const;
export type View = (typeof VIEWS)[number];

const search = z._default(z.catch(z.string().check(z.maxLength(SEARCH_MAX)), ''), '');
const maybe = <T extends z.ZodMiniType>(schema: T) => z.catch(z.optional(schema), undefined);

const adminAddress = z.object({
  view: z.catch(z.enum(VIEWS), 'overview'),
  person: search,
  campaign: search,
  state: maybe(z.enum(HELD_STATES)),
  order: maybe(z.enum(HELD_ORDERS)),
  /** What is stuck: one part of it alone. */
  part: maybe(z.enum(STUCK_PARTS)),
  /** Where the page of a list begins. */
  after: maybe(z.string().check(z.regex(/^(act_)?\d{1,32}$/))),
});
export type AdminAddress = z.output<typeof adminAddress>;

/** Whatever cannot be understood is as if it were not there. */
export function readAdminAddress(params: URLSearchParams): AdminAddress {
  return adminAddress.parse(
    Object.fromEntries(Object.keys(adminAddress.shape).map((name) => [name, params.get(name) ?? undefined])),
  );
}

/** The address of a view, with what it is narrowed down to; what is as usual is not written. */
export function adminSearch(wanted: Partial<AdminAddress>): string {
  const said = Object.entries(wanted).filter(
    ([name, value]) => value !== undefined && value !== '' && !(name === 'view' && value === 'overview'),
  );
  const words = new URLSearchParams(said as [string, string][]).toString();
  return words === '' ? '' : `?${words}`;
}
