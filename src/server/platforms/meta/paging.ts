import { z } from 'zod';
import type { GraphCall, GraphClient, GraphResponse } from './client.ts';
import type { PlatformFailure } from './errors.ts';
import { unreadable } from './errors.ts';
import type { PageSizes } from './page-sizes.ts';
import { smallerSize } from './page-sizes.ts';

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

const MAX_PAGES = 500;
/** Meta filters pages after it cut them, so several may be empty; more in a row are a fault. */
const MAX_EMPTY_PAGES = 10;

/**
 * Reads a list until `next` is missing: a page may be short or empty and still not be the last.
 * `next` contains the access token, so the address is rebuilt from the cursor.
 */
export async function readAllPages(
  graph: GraphClient,
  call: Omit<GraphCall, 'method'>,
  sizes: PageSizes,
): Promise<Pages> {
  const items = new Map<string, unknown>();
  const cursors = new Set<string>();
  const end = (response: GraphResponse, isPartial = false) => ({
    response,
    items: [...items.values()],
    isPartial,
  });
  let limit = sizes.of(call.path, graph.now());
  let after = '';
  let emptyPages = 0;
  for (;;) {
    const params = { ...call.params, ...(after !== '' && { after }) };
    const read = await readPage(graph, { method: 'GET', ...call, params }, { limit, sizes });
    const { response } = read;
    limit = read.limit;
    if (!response.ok) return end(response);
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

/** Meta fails for a page that is too large as it fails for any other cause: the same request once more, then smaller ones. */
async function readPage(
  graph: GraphClient,
  call: GraphCall,
  { limit: first, sizes }: { limit: number; sizes: PageSizes },
): Promise<{ response: GraphResponse; limit: number }> {
  let limit = first;
  let isRepeated = false;
  for (;;) {
    const response = await graph.call({ ...call, params: { ...call.params, limit: String(limit) } });
    if (response.ok) sizes.endGuess(call.path);
    if (response.ok && limit !== first) sizes.keep(call.path, limit, graph.now());
    if (response.ok || !mayBeTooLarge(response.failure)) return { response, limit };
    const isGuess = response.failure.nextProbeInMs !== undefined;
    const smaller = smallerSize(limit);
    // A repeat would take as long again, or load a platform that is down. The next read of the list asks for less.
    if (isGuess || response.failure.noAnswer === 'late') {
      if (smaller !== null) sizes.keep(call.path, smaller, graph.now(), { isGuess });
      return { response, limit };
    }
    if (!isRepeated && !asksForLess(response.failure)) isRepeated = true;
    else if (smaller === null) return { response, limit };
    else limit = smaller;
  }
}

/** The cursor in the address of a page; empty: none. */
function cursorIn(address: string): string {
  return URL.parse(address, 'https://graph.facebook.com')?.searchParams.get('after') ?? '';
}

function asksForLess({ code, message }: PlatformFailure): boolean {
  return code === -3 || /reduce the amount of data/i.test(message);
}

/** Unlike a call that was not sent. */
function mayBeTooLarge(failure: PlatformFailure): boolean {
  const { kind, code, noAnswer } = failure;
  return (
    asksForLess(failure) || (kind === 'transient' && (code === 1 || code === 2 || noAnswer !== undefined))
  );
}
