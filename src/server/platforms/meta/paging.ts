import { z } from 'zod';
import type { PlatformFailure } from '#core/platform.ts';
import { unasked, wasSent } from '#core/platform.ts';
import type { GraphCall, GraphClient, GraphResponse } from './client.ts';
import type { PageSizes } from './page-sizes.ts';
import { FULL_PAGE, smallerSize } from './page-sizes.ts';

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

/** Where the page size of a list is kept. */
interface KeptSize {
  sizes: PageSizes;
  list: string;
}

const MAX_PAGES = 500;
/** Meta filters pages after it cut them, so several may be empty; more in a row are a fault. */
const MAX_EMPTY_PAGES = 10;

/**
 * Reads a list until `next` is missing: a page may be short or empty and still not be the last.
 * `next` contains the access token, so the address is rebuilt from the cursor.
 * @param kept null: a log, of which no page is too large
 */
export async function readAllPages(
  graph: GraphClient,
  call: Omit<GraphCall, 'method'>,
  kept: KeptSize | null,
): Promise<Pages> {
  const items = new Map<string, unknown>();
  const cursors = new Set<string>();
  const end = (response: GraphResponse, isPartial = false) => ({
    response,
    items: [...items.values()],
    isPartial,
  });
  let limit = kept?.sizes.of(kept.list, graph.now()) ?? FULL_PAGE;
  let after = '';
  let emptyPages = 0;
  for (;;) {
    const params = { ...call.params, ...(after !== '' && { after }) };
    const read = await readPage(graph, { method: 'GET', ...call, params }, { limit, kept });
    const { response } = read;
    limit = read.limit;
    if (!response.ok) return end(response);
    const parsed = page.safeParse(response.value);
    if (!parsed.success) return end({ ...response, ok: false, failure: unasked('a list without data') });
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
  { limit: first, kept }: { limit: number; kept: KeptSize | null },
): Promise<{ response: GraphResponse; limit: number }> {
  const after = (failure: PlatformFailure, tried: Try) => nextTry(failure, tried, { isList: kept !== null });
  let next: Try = { limit: first, isRepeat: false };
  for (;;) {
    const tried = next;
    const { limit } = tried;
    const response = await graph.call({
      ...call,
      params: { ...call.params, limit: String(limit) },
      // The last try of a page. An activity log is read after a list, and may fail alone.
      countsForBreaker: (failure) =>
        call.countsForBreaker?.(failure) !== false &&
        (kept === null ? !wasSent(failure) : after(failure, tried) === null),
    });
    if (response.ok) kept?.sizes.noteSuccess(kept.list, limit, graph.now(), { isHalved: limit !== first });
    if (response.ok) return { response, limit };
    const { failure } = response;
    if (mayBeTooLarge(failure) && isEndOfTries(failure))
      kept?.sizes.noteFailure(kept.list, limit, graph.now(), { isLate: failure.noAnswer === 'late' });
    const another = after(failure, tried);
    if (another === null) return { response: tried.isRepeat ? repeated(response) : response, limit };
    next = another;
  }
}

const repeated = (response: GraphResponse): GraphResponse =>
  response.ok ? response : { ...response, failure: { ...response.failure, isRepeated: true } };

interface Try {
  limit: number;
  isRepeat: boolean;
}

/** Of a log only a response that was cut off is asked for again, unless Meta itself asks for less. Null: no other try. */
function nextTry(
  failure: PlatformFailure,
  { limit, isRepeat }: Try,
  { isList }: { isList: boolean },
): Try | null {
  const smaller = smallerSize(limit);
  const halved = smaller === null ? null : { limit: smaller, isRepeat };
  if (!mayBeTooLarge(failure) || isEndOfTries(failure)) return null;
  if (asksForLess(failure)) return halved;
  if (!isRepeat) return isList || failure.noAnswer === 'cut' ? { limit, isRepeat: true } : null;
  return isList ? halved : null;
}

/** A repeat would take as long again, or load a platform that is down. The next read of the list asks for less. */
function isEndOfTries({ nextProbeInMs, noAnswer }: PlatformFailure): boolean {
  return nextProbeInMs !== undefined || noAnswer === 'late';
}

/** The cursor in the address of a page; empty: none. */
function cursorIn(address: string): string {
  return URL.parse(address, 'https://graph.facebook.com')?.searchParams.get('after') ?? '';
}

function asksForLess({ code, message }: PlatformFailure): boolean {
  return /^-3\b/.test(code ?? '') || /reduce the amount of data/i.test(message);
}

/** Unlike a call that was not sent. */
function mayBeTooLarge(failure: PlatformFailure): boolean {
  const { kind, code, noAnswer } = failure;
  const isUnknown = /^[12]\b/.test(code ?? '') || noAnswer !== undefined;
  return asksForLess(failure) || (kind === 'transient' && isUnknown);
}
