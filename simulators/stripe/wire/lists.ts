import { z } from 'zod';
import { integer } from './params.ts';

/** Cursors are not played: the product reads one page. */
export const limit = integer.pipe(z.number().min(1).max(100)).optional();

export interface List<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
}

export function listOf<T>(data: T[], url: string): List<T> {
  return { object: 'list', data, has_more: false, url };
}

/** The newest objects of a map that match, as one page. */
export function newest<T>(
  map: ReadonlyMap<string, T>,
  matches: (item: T) => boolean,
  { limit: size = 10, url }: { limit: number | undefined; url: string },
): List<T> {
  const found = [...map.values()].reverse().filter(matches);
  return { ...listOf(found.slice(0, size), url), has_more: found.length > size };
}
