import { z } from 'zod';
import { UnusableBackupError } from './file.ts';
import type { Piece } from './rows.ts';
import type { Table, TableShape } from './tables.ts';

/** What a backup has and its migrations do not make: an operator has put it there by hand. */
export interface LeftOut {
  /** A table, or a column as table.column. */
  name: string;
  /** Of a column those with a value in it. */
  rows: number;
}

const values = z.array(z.string().nullable());

/** Of what a backup holds that which belongs to SmartPause, whatever else was in its database. */
export class Fitting {
  /** As this database describes them, tables and columns in the order of the backup. */
  readonly tables: Table[];
  readonly #given: Map<string, TableShape>;
  readonly #fitting: Map<string, Table>;
  readonly #strange = new Map<string, number>();

  /** @throws UnusableBackupError when something is missing in the backup */
  constructor(given: readonly TableShape[], made: readonly Table[]) {
    requireAll(given, made);
    this.#given = new Map(given.map((shape) => [shape.name, shape]));
    this.tables = given.flatMap((shape) => asGiven(shape, made));
    this.#fitting = new Map(this.tables.map((table) => [table.name, table]));
    for (const { name, columns } of given) {
      const table = this.#fitting.get(name);
      if (table === undefined) this.#strange.set(name, 0);
      else for (const one of strangeOf(columns, table)) this.#strange.set(`${name}.${one.name}`, 0);
    }
  }

  /** Null: all of it is left out. */
  take(piece: Piece): { table: Table; piece: Piece } | null {
    const shape = this.#given.get(piece.table);
    if (shape === undefined)
      throw new UnusableBackupError(`The backup has rows of an unknown table: ${piece.table}`);
    const table = this.#fitting.get(piece.table);
    if (table === undefined) {
      this.#count(piece.table, piece.rows.length);
      return null;
    }
    const strange = strangeOf(shape.columns, table);
    if (strange.length === 0) return { table, piece };
    const rows = piece.rows.map((row) => {
      const all = values.parse(JSON.parse(row));
      for (const { name, at } of strange) if (all[at] !== null) this.#count(`${table.name}.${name}`, 1);
      const left = new Set(strange.map(({ at }) => at));
      return asWritten(all.filter((_value, at) => !left.has(at)));
    });
    return { table, piece: { table: piece.table, rows } };
  }

  get leftOut(): LeftOut[] {
    return [...this.#strange]
      .map(([name, rows]) => ({ name, rows }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #count(name: string, rows: number): void {
    this.#strange.set(name, (this.#strange.get(name) ?? 0) + rows);
  }
}

/** Letter by letter what json_build_array writes, so that a row can be compared with what is read back. */
function asWritten(row: readonly (string | null)[]): string {
  return `[${row.map((value) => JSON.stringify(value)).join(', ')}]`;
}

function strangeOf(columns: TableShape['columns'], table: Table): { name: string; at: number }[] {
  const known = new Set(table.columns.map(({ name }) => name));
  return columns.flatMap(({ name }, at) => (known.has(name) ? [] : [{ name, at }]));
}

/** Another type is no obstacle: the values are read back and compared. */
function requireAll(given: readonly TableShape[], made: readonly Table[]): void {
  const names = (tables: readonly TableShape[]) =>
    tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`));
  const there = new Set(names(given));
  const missing = names(made).filter((name) => !there.has(name));
  if (missing.length === 0) return;
  throw new UnusableBackupError(
    `The tables of the backup are not those that its migrations make: ${missing.join(', ')} is missing.`,
  );
}

function asGiven(shape: TableShape, made: readonly Table[]): Table[] {
  const table = made.find(({ name }) => name === shape.name);
  if (table === undefined) return [];
  const columns = shape.columns.flatMap(({ name }) => table.columns.filter((column) => column.name === name));
  return [{ ...table, columns }];
}
