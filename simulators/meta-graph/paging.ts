import type { GraphAnswer } from './errors.ts';
import { graphError } from './errors.ts';
import type { Params, shapeFor } from './shape.ts';

/** Where a list is read: the address of the next page contains the token, as on the real platform. */
export interface Place {
  base: string;
  token: string;
}

const DEFAULT_LIMIT = 25;
const LIMIT_CAP = 500;

/**
 * One page of a list, by cursors. The list is complete and in a fixed order; `isShown` filters it,
 * so that a cursor stays valid when its item no longer matches.
 */
export function pageOf<T extends { id: string }>(
  items: readonly T[],
  { params, place }: { params: Params; place: Place },
  shape: ReturnType<typeof shapeFor<T>>,
  isShown: (item: T) => boolean = () => true,
): GraphAnswer {
  if (typeof shape !== 'function') return shape;
  const limit = Number(params.get('limit') ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1)
    return graphError({ code: 100, message: '(#100) Param limit must be an integer greater than 0' });
  if (limit > LIMIT_CAP)
    return graphError({
      code: 1,
      http: 500,
      message: "Please reduce the amount of data you're asking for, then retry your request",
    });
  const cursor = params.get('after');
  const idBefore = Buffer.from(cursor ?? '', 'base64')
    .toString()
    .replace(/^c:/, '');
  const after = cursor === undefined ? -1 : items.findIndex(({ id }) => id === idBefore);
  if (cursor !== undefined && after === -1)
    return graphError({ code: 100, message: '(#100) Invalid parameter: the cursor is not valid' });
  const rest = items.slice(after + 1).filter(isShown);
  const page = rest.slice(0, limit);
  const [first, last] = [page[0], page.at(-1)];
  if (first === undefined || last === undefined) return { status: 200, body: { data: [] } };
  const cursors = { before: cursorOf(first.id), after: cursorOf(last.id) };
  const next = rest.length > limit ? { next: addressOf(params, place, cursors.after) } : {};
  return { status: 200, body: { data: page.map(shape), paging: { cursors, ...next } } };
}

function cursorOf(id: string): string {
  return Buffer.from(`c:${id}`).toString('base64');
}

function addressOf(params: Params, place: Place, after: string): string {
  const query = new URLSearchParams([...params].filter(([name]) => name !== 'appsecret_proof'));
  query.set('access_token', place.token);
  query.set('after', after);
  return `${place.base}?${query.toString()}`;
}
