import { z } from 'zod';
import type { GraphCall, GraphClient, GraphResponse } from './client.ts';
import { unreadable } from './errors.ts';

/** Meta writes an empty object as an empty list. */
const emptyList = z.array(z.never()).transform(() => null);
const page = z.object({
  data: z.array(z.unknown()),
  paging: z
    .object({
      cursors: z.object({ after: z.string().nullish() }).or(emptyList).nullish(),
      next: z.string().nullish(),
    })
    .or(emptyList)
    .nullish(),
});

/** The last response, and the items of all pages. */
export interface Pages {
  response: GraphResponse;
  items: unknown[];
  /** More pages were announced but lead nowhere: an item that is missing says nothing. */
  isPartial: boolean;
}

/**
 * The maximum page size, for few calls. If the platform rejects it as too large, smaller pages are requested.
 */
const FIRST_LIMIT = 500;
const SMALLEST_LIMIT = 25;
const MAX_PAGES = 500;
const MAX_TRIES = 3;
/** Meta filters pages after it cut them, so several may be empty; more in a row are a fault. */
const MAX_EMPTY_PAGES = 10;

/**
 * Reads a list until `next` is missing: a page may be short or empty and still not be the last.
 * `next` contains the access token, so the address is rebuilt from the cursor.
 */
export async function readAllPages(graph: GraphClient, call: Omit<GraphCall, 'method'>): Promise<Pages> {
  const items = new Map<string, unknown>();
  const cursors = new Set<string>();
  const end = (response: GraphResponse, isPartial = false) => ({
    response,
    items: [...items.values()],
    isPartial,
  });
  let limit = FIRST_LIMIT;
  let after = '';
  let emptyPages = 0;
  for (;;) {
    const params = { ...call.params, limit: String(limit), ...(after !== '' && { after }) };
    const response = await readWhole(graph, { method: 'GET', ...call, params });
    if (!response.ok) {
      if (!asksForLess(response.failure.code, response.failure.message) || limit <= SMALLEST_LIMIT)
        return end(response);
      limit = Math.max(SMALLEST_LIMIT, Math.floor(limit / 2));
      continue;
    }
    const parsed = page.safeParse(response.value);
    if (!parsed.success)
      return end({ ...response, ok: false, failure: unreadable('a list without data', false) });
    const { data, paging } = parsed.data;
    const before = items.size;
    for (const item of data) items.set(JSON.stringify(item), item);
    if (paging?.next == null) return end(response);
    cursors.add(after);
    after = paging.cursors?.after ?? cursorIn(paging.next);
    emptyPages = data.length === 0 ? emptyPages + 1 : 0;
    const isRepeated = data.length > 0 && items.size === before;
    if (isRepeated || emptyPages > MAX_EMPTY_PAGES || cursors.has(after) || cursors.size >= MAX_PAGES)
      return end(response, true);
  }
}

/** The same request again when its response was cut off. */
async function readWhole(graph: GraphClient, call: GraphCall): Promise<GraphResponse> {
  for (let tries = 1; ; tries += 1) {
    const response = await graph.call(call);
    if (response.ok || response.failure.isGarbled !== true || tries === MAX_TRIES) return response;
  }
}

/** The cursor in the address of a page; empty: none. */
function cursorIn(address: string): string {
  return URL.parse(address, 'https://graph.facebook.com')?.searchParams.get('after') ?? '';
}

function asksForLess(code: number | null, message: string): boolean {
  return code === -3 || /reduce the amount of data/i.test(message);
}
