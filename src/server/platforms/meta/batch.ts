import { z } from 'zod';
import type { Answer, GraphClient } from './client.ts';
import { interpretJson, parseJson } from './client.ts';
import type { PlatformFailure } from './errors.ts';
import { unreadable } from './errors.ts';

export interface BatchOperation {
  method: 'GET' | 'POST';
  relative_url: string;
  body?: string;
}

/** In the order of the operations. The inner headers override the outer ones. */
export type BatchAnswer =
  | { ok: true; answers: Answer<unknown>[]; headers: Record<string, string> }
  | { ok: false; failure: PlatformFailure; headers: Record<string, string> };

const entry = z.object({
  code: z.number(),
  headers: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
  body: z.string().nullish(),
});

/**
 * Sends several operations in one call. A null entry was cut off by the platform's timeout: outcome unknown.
 */
export async function sendBatch(
  graph: GraphClient,
  token: string,
  operations: readonly BatchOperation[],
): Promise<BatchAnswer> {
  const params = { batch: JSON.stringify(operations), include_headers: 'true' };
  const answer = await graph.call({ method: 'POST', path: '', params, token, timeoutMs: 30_000 });
  if (!answer.ok) return answer;
  const headers = { ...answer.headers };
  const answers = readEntries(answer.value, operations.length, headers);
  return answers.ok ? { ok: true, answers: answers.value, headers } : { ...answers, headers };
}

/** The responses inside a batch, in the order of its operations; inner headers override the given ones. */
export function readEntries(
  value: unknown,
  count: number,
  headers: Record<string, string> = {},
): Answer<Answer<unknown>[]> {
  const entries = z.array(z.unknown()).safeParse(value);
  if (!entries.success) return failed('a batch answer that is no list');
  const answers = Array.from({ length: count }, (_one, index) => {
    const parsed = entry.safeParse(entries.data[index]);
    if (!parsed.success) return failed('cut off inside a batch');
    for (const { name, value: text } of parsed.data.headers ?? []) headers[name.toLowerCase()] = text;
    return interpretEntry(parsed.data.code, parsed.data.body);
  });
  return { ok: true, value: answers };
}

function interpretEntry(code: number, body: string | null | undefined): Answer<unknown> {
  const parsed = parseJson(body ?? '');
  return parsed === undefined ? failed(`HTTP ${code} without JSON in a batch`) : interpretJson(parsed, code);
}

function failed(message: string): { ok: false; failure: PlatformFailure } {
  return { ok: false, failure: unreadable(message, true) };
}
