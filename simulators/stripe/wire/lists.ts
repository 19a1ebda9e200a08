import { z } from 'zod';
import { invalid, noSuch } from '../errors.ts';
import { integer, text } from './params.ts';

export const page = {
  limit: integer.pipe(z.number().min(1).max(100)).optional(),
  starting_after: text.optional(),
  ending_before: text.optional(),
};

interface Page {
  limit?: number | undefined;
  starting_after?: string | undefined;
  ending_before?: string | undefined;
}

export interface List<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
}

export function listOf<T>(data: T[], url: string): List<T> {
  return { object: 'list', data, has_more: false, url };
}

/** A page of what was created, newest first. */
export function paginate<T extends { id: string; object: string }>(
  newestFirst: readonly T[],
  { limit = 10, starting_after: after, ending_before: before }: Page,
  url: string,
): List<T> {
  if (after !== undefined && before !== undefined)
    throw invalid('You may only specify one of these parameters: ending_before, starting_after.');
  const indexOf = (id: string, param: string): number => {
    const index = newestFirst.findIndex((item) => item.id === id);
    if (index < 0) throw noSuch(newestFirst[0]?.object ?? 'object', id, param);
    return index;
  };
  if (before !== undefined) {
    const end = indexOf(before, 'ending_before');
    const start = Math.max(0, end - limit);
    return { ...listOf(newestFirst.slice(start, end), url), has_more: start > 0 };
  }
  const start = after === undefined ? 0 : indexOf(after, 'starting_after') + 1;
  const data = newestFirst.slice(start, start + limit);
  return { ...listOf(data, url), has_more: start + data.length < newestFirst.length };
}
