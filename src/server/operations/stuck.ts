import type { StuckEntry, StuckPage } from '#contract/admin.ts';
import { PAGE_SIZE } from '#contract/admin.ts';
import type { StuckPart } from '#contract/failing.ts';
import type { Instant } from '#core/time.ts';
import type { StuckRow } from '../db/stuck.ts';
import { findStuck } from '../db/stuck.ts';
import type { OperationDeps } from './deps.ts';

/** Ad accounts go by Meta's ids, all else by ours. */
const BY_ACCOUNT: readonly StuckPart[] = ['accounts_behind', 'accounts_failing', 'accounts_limited'];

/** Whether it can be the id of something of that part; anything else is not looked for. */
export function canBeOf(part: StuckPart, id: string): boolean {
  return BY_ACCOUNT.includes(part) ? id.startsWith('act_') : /^\d{1,18}$/.test(id);
}

/** The single things behind one part of what is failing: one page. */
export async function getStuck(
  { db, clock }: OperationDeps,
  part: StuckPart,
  after: string | null,
): Promise<StuckPage> {
  if (after !== null && !canBeOf(part, after)) return { stuck: [], next: null };
  const rows = await findStuck(db, part, { after, limit: PAGE_SIZE + 1 }, clock.now());
  const stuck = rows.slice(0, PAGE_SIZE).map(toEntry);
  return { stuck, next: rows.length > PAGE_SIZE ? (stuck.at(-1)?.id ?? null) : null };
}

function toEntry(row: StuckRow): StuckEntry {
  return {
    ...row,
    since: iso(row.since),
    nextAt: iso(row.nextAt),
    blockedUntil: iso(row.blockedUntil),
  };
}

function iso(at: Instant | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
