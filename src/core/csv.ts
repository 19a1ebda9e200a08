/** A spreadsheet runs a cell that begins with one of these as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Digits that stay text. */
interface Id {
  digits: string;
}

export type Cell = string | Id;

/** An id with more than 15 digits would lose the last ones in a spreadsheet, which takes it for a number. */
export function idCell(id: string): Cell {
  return /^\d+$/.test(id) ? { digits: id } : id;
}

/** One cell by RFC 4180. */
function written(cell: Cell): string {
  if (typeof cell !== 'string') return `"=""${cell.digits}"""`;
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Spreadsheets take a file for UTF-8 only with a byte order mark. */
export function toCsv(rows: readonly (readonly Cell[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(written).join(',')}\r\n`).join('')}`;
}
