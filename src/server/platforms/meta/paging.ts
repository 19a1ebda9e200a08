import { z } from 'zod';
import type { GraphCall, GraphClient, RawAnswer } from './client.ts';
import { unreadable } from './errors.ts';

const page = z.object({
  data: z.array(z.unknown()),
  paging: z
    .object({ cursors: z.object({ after: z.string() }).optional(), next: z.string().optional() })
    .optional(),
});

/** Beyond these limits no further page of a list is requested. */
export interface ReadingLimits {
  withinMs?: number;
}

/** The last answer, and the items of all pages. */
export interface Pages {
  answer: RawAnswer;
  items: unknown[];
}

/**
 * The maximum page size, for few calls. If the platform rejects it as too large, smaller pages are requested.
 */
const FIRST_LIMIT = 500;
const SMALLEST_LIMIT = 25;
const MAX_PAGES = 500;

/**
 * Reads a list until `next` is missing: a page may be short or empty and still not be the last.
 * `next` contains the access token, so the address is rebuilt from the cursor.
 */
export async function readAllPages(
  graph: GraphClient,
  call: Omit<GraphCall, 'method'>,
  { withinMs = Infinity }: ReadingLimits = {},
): Promise<Pages> {
  const items: unknown[] = [];
  let limit = FIRST_LIMIT;
  let after: string | null = null;
  const until = graph.now() + withinMs;
  for (let pages = 0; pages < MAX_PAGES;) {
    // Not a sign of an outage: the platform answered every page.
    if (graph.now() > until) return { answer: failed('a list that takes too long'), items };
    const params: Record<string, string> = {
      ...call.params,
      limit: String(limit),
      ...(after === null ? {} : { after }),
    };
    const answer = await graph.call({ method: 'GET', ...call, params });
    if (!answer.ok) {
      if (!asksForLess(answer.failure.code, answer.failure.message) || limit <= SMALLEST_LIMIT)
        return { answer, items };
      limit = Math.max(SMALLEST_LIMIT, Math.floor(limit / 2));
      continue;
    }
    const parsed = page.safeParse(answer.value);
    if (!parsed.success) return { answer: failed('a list without data', answer), items };
    items.push(...parsed.data.data);
    const next = parsed.data.paging;
    if (next?.next === undefined) return { answer, items };
    if (next.cursors === undefined) return { answer: failed('a next page without a cursor', answer), items };
    after = next.cursors.after;
    pages += 1;
  }
  throw new Error(`a list of more than ${MAX_PAGES} pages: ${call.path}`);
}

function asksForLess(code: number | null, message: string): boolean {
  return code === -3 || /reduce the amount of data/i.test(message);
}

function failed(message: string, { headers }: Pick<RawAnswer, 'headers'> = { headers: {} }): RawAnswer {
  return { ok: false, failure: unreadable(message, false), headers };
}
