import type { Migration } from 'kysely/migration';
import { first } from './0001-first.ts';

/** Numbered and append-only: what has been released is never edited. */
export const migrations: Record<string, Migration> = {
  '0001-first': first,
};
