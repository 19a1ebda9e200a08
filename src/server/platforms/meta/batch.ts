import { z } from 'zod';
import type { PlatformFailure } from '#core/platform.ts';
import { unreadable, unusable } from '#core/platform.ts';
import type { PlatformResult } from '../platform.ts';
import type { GraphClient } from './client.ts';
import { interpretJson, parseJson } from './client.ts';

export interface BatchOperation {
  method: 'GET' | 'POST';
  relative_url: string;
  body?: string;
}

/** In the order of the operations. The inner headers override the outer ones. */
export type BatchResponse = PlatformResult<PlatformResult<unknown>[]> & { headers: Record<string, string> };

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
): Promise<BatchResponse> {
  const params = { batch: JSON.stringify(operations), include_headers: 'true' };
  const response = await graph.call({ method: 'POST', path: '', params, token, timeoutMs: 30_000 });
  if (!response.ok) return response;
  const headers = { ...response.headers };
  return { ...readEntries(response.value, operations.length, headers), headers };
}

/** The responses inside a batch, in the order of its operations; inner headers override the given ones. */
export function readEntries(
  value: unknown,
  count: number,
  headers: Record<string, string> = {},
): PlatformResult<PlatformResult<unknown>[]> {
  const entries = z.array(z.unknown()).safeParse(value);
  if (!entries.success) return { ok: false, failure: unusable('a batch response that is no list') };
  const responses = Array.from({ length: count }, (_one, index) => {
    const parsed = entry.safeParse(entries.data[index]);
    if (!parsed.success) return failed('cut off inside a batch');
    for (const { name, value: text } of parsed.data.headers ?? []) headers[name.toLowerCase()] = text;
    return interpretEntry(parsed.data.code, parsed.data.body);
  });
  return { ok: true, value: responses };
}

function interpretEntry(code: number, body: string | null | undefined): PlatformResult<unknown> {
  const parsed = parseJson(body ?? '');
  return parsed === undefined ? failed(`HTTP ${code} without JSON in a batch`) : interpretJson(parsed, code);
}

function failed(message: string): { ok: false; failure: PlatformFailure } {
  return { ok: false, failure: unreadable(message, true) };
}
