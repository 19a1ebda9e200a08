import type { Hash } from 'node:crypto';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { Table, TableShape } from './tables.ts';

/** So many rows are in memory at a time. */
export const PIECE = 500;

/** Some rows of one table, each the JSON list of its values as text. */
export interface Piece {
  table: string;
  rows: string[];
}

/** All rows of these tables, as the transaction sees them. Every table has at least one piece, be it empty. */
export async function* readPieces(tx: Db, tables: readonly Table[]): AsyncGenerator<Piece> {
  for (const table of tables) {
    const values = sql.join(table.columns.map(({ name }) => sql`${sql.ref(name)}::text`));
    await sql`
      declare backup_rows no scroll cursor for
      select json_build_array(${values})::text as row from ${sql.table(table.name)} ${inOneOrder(table)}`.execute(
      tx,
    );
    for (let isFirst = true; ; isFirst = false) {
      const { rows } = await sql<{ row: string }>`fetch ${sql.lit(PIECE)} from backup_rows`.execute(tx);
      if (rows.length === 0 && !isFirst) break;
      yield { table: table.name, rows: rows.map(({ row }) => row) };
      if (rows.length < PIECE) break;
    }
    await sql`close backup_rows`.execute(tx);
  }
}

function inOneOrder({ columns, order }: Table) {
  const by = order.length > 0 ? order : columns.map(({ name }) => ({ column: name, isText: true }));
  const terms = by.map(({ column, isText }) =>
    isText ? sql`${sql.ref(column)}::text collate "C"` : sql.ref(column),
  );
  return sql`order by ${sql.join(terms)}`;
}

/** The database reads every value by itself, from the text that a database wrote. */
export async function insertPiece(tx: Db, table: TableShape, rows: readonly string[]): Promise<void> {
  if (rows.length === 0) return;
  const names = sql.join(table.columns.map(({ name }) => sql.ref(name)));
  const values = sql.join(
    table.columns.map(({ type }, index) => sql`(row ->> ${sql.lit(index)})::${sql.raw(type)}`),
  );
  await sql`
    insert into ${sql.table(table.name)} (${names}) overriding system value
    select ${values} from json_array_elements(${`[${rows.join(',')}]`}::json) with ordinality as given(row, n)
    order by n`.execute(tx);
}

/** Counts rows and takes the fingerprint of their values: two databases with the same rows have the same. */
export class Tally {
  readonly counts: Record<string, number> = {};
  readonly #hash: Hash = createHash('sha256');

  add({ table, rows }: Piece): void {
    this.counts[table] = (this.counts[table] ?? 0) + rows.length;
    for (const row of rows) this.#hash.update(`${table} ${row}\n`);
  }

  get total(): number {
    return Object.values(this.counts).reduce((sum, count) => sum + count, 0);
  }

  digest(): string {
    return this.#hash.copy().digest('hex');
  }
}
