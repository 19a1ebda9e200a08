import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

interface Claimable {
  table: string;
  /** Its primary key. */
  key: string;
  /** The column with the time from which on a row is due. */
  due: string;
  limit: number;
  /** The rows have a `lease_until`, which must be over. Without it a claim moves the due time. */
  hasLease?: boolean;
  /** More conditions. */
  also?: RawBuilder<unknown>;
  /** The order of rows that are due since the same time. */
  then?: RawBuilder<unknown>;
}

/**
 * The keys of rows that are due and free, due longest first, as an array for the condition of an update. They are locked:
 * processes that claim at the same time get different rows, and none waits.
 */
export function claimable({ table, key, due, limit, ...more }: Claimable): RawBuilder<unknown> {
  const { hasLease = true, also, then } = more;
  return sql`array(
      select ${sql.ref(key)} from ${sql.table(table)}
      where ${sql.ref(due)} <= now()${hasLease ? sql` and (lease_until is null or lease_until <= now())` : sql``}${also === undefined ? sql`` : sql` and ${also}`}
      order by ${sql.ref(due)}${then === undefined ? sql`` : sql`, ${then}`} limit ${limit} for update skip locked)`;
}
