import { z } from 'zod';
import { integer } from './params.ts';

/** Cursors are not simulated: the app reads one page. */
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
  { size = 10, path }: { size: number | undefined; path: string },
  matches: (item: T) => boolean = () => true,
): List<T> {
  const found = [...map.values()].reverse().filter(matches);
  return { ...listOf(found.slice(0, size), path), has_more: found.length > size };
}
