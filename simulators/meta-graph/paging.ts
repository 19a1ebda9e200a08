import type { GraphAnswer } from './errors.ts';
import { graphError } from './errors.ts';
import type { Params } from './params.ts';

/** Where a list is read: the addresses of other pages carry the token, as the platform's own do. */
export interface Place {
  base: string;
  token: string;
  shortPages: boolean;
}

const DEFAULT_LIMIT = 25;
const LIMIT_CAP = 500;

/**
 * One page of a list, by cursors. The list is whole and in a fixed order; `isShown` picks from it, so that a
 * cursor stays good when the item it stands on no longer passes.
 */
export function pageOf<T>(
  items: readonly T[],
  params: Params,
  place: Place,
  given: { idOf: (item: T) => string; shape: (item: T) => unknown; isShown?: (item: T) => boolean },
): GraphAnswer {
  const limit = Number(params.get('limit') ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1) {
    return graphError({ code: 100, message: '(#100) Param limit must be an integer greater than 0' });
  }
  if (limit > LIMIT_CAP) {
    return graphError({
      code: 1,
      http: 500,
      message: "Please reduce the amount of data you're asking for, then retry your request",
    });
  }
  const after = standing(items, params.get('after'), given.idOf);
  const before = standing(items, params.get('before'), given.idOf);
  if (after === null || before === null) {
    return graphError({ code: 100, message: '(#100) Invalid parameter: the cursor is not valid' });
  }
  const { isShown = () => true, idOf } = given;
  const start = before ?? (after === undefined ? 0 : after + 1);
  const earlier = items.slice(0, start).filter(isShown);
  const later = items.slice(start).filter(isShown);
  const size = place.shortPages ? Math.max(1, Math.floor(limit / 2)) : limit;
  const shown = before === undefined ? later.slice(0, size) : earlier.slice(-size);
  const has = {
    previous: before === undefined ? earlier.length > 0 : earlier.length > size,
    next: before === undefined ? later.length > size : later.length > 0,
  };
  const body = assemble(shown, { params, place, has, idOf, shape: given.shape });
  const summary = ['true', '1', 'total_count'].some((word) => params.get('summary')?.includes(word));
  if (!summary) return { status: 200, body };
  return { status: 200, body: { ...body, summary: { total_count: earlier.length + later.length } } };
}

function assemble<T>(
  shown: readonly T[],
  given: {
    params: Params;
    place: Place;
    has: { previous: boolean; next: boolean };
    idOf: (item: T) => string;
    shape: (item: T) => unknown;
  },
): Record<string, unknown> {
  const { params, place, has, idOf, shape } = given;
  const [first, last] = [shown[0], shown.at(-1)];
  if (first === undefined || last === undefined) return { data: [] };
  const cursors = { before: cursorOf(idOf(first)), after: cursorOf(idOf(last)) };
  const paging = {
    cursors,
    ...(has.previous ? { previous: addressOf(params, place, ['before', cursors.before]) } : {}),
    ...(has.next ? { next: addressOf(params, place, ['after', cursors.after]) } : {}),
  };
  return { data: shown.map(shape), paging };
}

function cursorOf(id: string): string {
  return Buffer.from(`c:${id}`).toString('base64');
}

/** Where in the list a cursor stands. Undefined: none was given. Null: it stands nowhere. */
function standing<T>(
  items: readonly T[],
  cursor: string | undefined,
  idOf: (item: T) => string,
): number | undefined | null {
  if (cursor === undefined || cursor === '') return undefined;
  const id = Buffer.from(cursor, 'base64').toString().replace(/^c:/, '');
  const index = items.findIndex((item) => idOf(item) === id);
  return index === -1 ? null : index;
}

function addressOf(params: Params, place: Place, [name, cursor]: [string, string]): string {
  const hidden = ['after', 'before', 'access_token', 'appsecret_proof', 'appsecret_time'];
  const query = new URLSearchParams([...params].filter(([other]) => !hidden.includes(other)));
  query.set('access_token', place.token);
  query.set(name, cursor);
  return `${place.base}?${query.toString()}`;
}
