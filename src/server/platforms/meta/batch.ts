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

/** In the order of the operations. The headers are the outer ones with the inner ones laid over them. */
export type BatchAnswer =
  | { ok: true; answers: Answer<unknown>[]; headers: Record<string, string> }
  | { ok: false; failure: PlatformFailure; headers: Record<string, string> };

const entry = z.object({
  code: z.number(),
  headers: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
  body: z.string().nullish(),
});

/** Several operations in one call. A null entry was cut off by the platform's own timeout: outcome unknown. */
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

/** The answers inside a batch's answer, in the order of its operations; inner headers are laid over the given ones. */
export function readEntries(
  value: unknown,
  count: number,
  headers: Record<string, string> = {},
): Answer<Answer<unknown>[]> {
  const entries = z.array(z.unknown()).safeParse(value);
  if (!entries.success) return { ok: false, failure: unreadable('a batch answer that is no list', true) };
  const answers = Array.from({ length: count }, (_one, index) => {
    const parsed = entry.safeParse(entries.data[index]);
    if (!parsed.success) return cutOff();
    for (const { name, value: text } of parsed.data.headers ?? []) headers[name.toLowerCase()] = text;
    return interpretEntry(parsed.data.code, parsed.data.body);
  });
  return { ok: true, value: answers };
}

function interpretEntry(code: number, body: string | null | undefined): Answer<unknown> {
  const parsed = parseJson(body ?? '');
  if (parsed === undefined)
    return { ok: false, failure: unreadable(`HTTP ${code} without JSON in a batch`, true) };
  return interpretJson(parsed, code);
}

function cutOff(): Answer<unknown> {
  return { ok: false, failure: unreadable('cut off inside a batch', true) };
}
