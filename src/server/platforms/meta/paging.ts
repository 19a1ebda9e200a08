import { z } from 'zod';
import type { GraphCall, GraphClient, RawAnswer } from './client.ts';
import { unreadable } from './errors.ts';

const page = z.object({
  data: z.array(z.unknown()),
  paging: z
    .object({ cursors: z.object({ after: z.string() }).optional(), next: z.string().optional() })
    .optional(),
});

/** Beyond this no further page of a list is asked for. */
export interface ReadingLimits {
  withinMs?: number;
}

/** As much as a page may hold: a list of thousands is read in a few calls. Where it is too much, less is asked for. */
const FIRST_LIMIT = 500;
const SMALLEST_LIMIT = 25;
const MAX_PAGES = 500;

/**
 * Reads a list to its end, which is where `next` is missing: a page may be short, or empty, and still not be
 * the last. `next` itself carries the access token, so the address is rebuilt from the cursor.
 */
export async function readAllPages(
  graph: GraphClient,
  call: GraphCall,
  { withinMs = Infinity }: ReadingLimits = {},
): Promise<{ answer: RawAnswer; items: unknown[] }> {
  const items: unknown[] = [];
  let limit = FIRST_LIMIT;
  let after: string | null = null;
  const until = graph.now() + withinMs;
  for (let pages = 0; pages < MAX_PAGES;) {
    if (graph.now() > until) return { answer: tooLong(), items };
    const params: Record<string, string> = {
      ...call.params,
      limit: String(limit),
      ...(after === null ? {} : { after }),
    };
    const answer = await graph.call({ ...call, params });
    if (!answer.ok) {
      if (!asksForLess(answer.failure.code, answer.failure.message) || limit <= SMALLEST_LIMIT)
        return { answer, items };
      limit = Math.max(SMALLEST_LIMIT, Math.floor(limit / 2));
      continue;
    }
    const parsed = page.safeParse(answer.value);
    if (!parsed.success) return { answer: brokenPage(answer, 'a list without data'), items };
    items.push(...parsed.data.data);
    const next = parsed.data.paging;
    if (next?.next === undefined) return { answer, items };
    if (next.cursors === undefined)
      return { answer: brokenPage(answer, 'a next page without a cursor'), items };
    after = next.cursors.after;
    pages += 1;
  }
  throw new Error(`a list of more than ${MAX_PAGES} pages: ${call.path}`);
}

function asksForLess(code: number | null, message: string): boolean {
  return code === -3 || /reduce the amount of data/i.test(message);
}

/** Not a sign of an outage: every page of it has been answered. */
function tooLong(): RawAnswer {
  return { ok: false, failure: unreadable('a list that takes too long', false), headers: {} };
}

function brokenPage(answer: RawAnswer, message: string): RawAnswer {
  return { ok: false, failure: unreadable(message, false), headers: answer.headers };
}
