import pg from 'pg';
import type { DatabaseError } from 'pg-protocol';
import {
  CommandCompleteMessage,
  DataRowMessage,
  ReadyForQueryMessage,
  RowDescriptionMessage,
} from 'pg-protocol/dist/messages.js';
import { Parser } from 'pg-protocol/dist/parser.js';
import type { QueryResult, Row } from '../src/server/db/pool/pool.ts';

// PGlite's replies are read by pg's own functions, and so are the values in them: rows are as the product's pool gives them.

export type TransactionStatus = 'idle' | 'open' | 'failed';
export type Reply = {
  status: TransactionStatus;
  /** As its rows were described. */
  readRow: RowReader;
} & ({ result: QueryResult } | { error: Error });

const STATUS: Partial<Record<string, TransactionStatus>> = { I: 'idle', T: 'open', E: 'failed' };

/**
 * Null when the reply does not end as every reply must: the engine has come apart.
 *
 * @param described how to read rows that come without a description, as those of a prepared statement do
 */
export function decodeReply(bytes: ArrayBuffer, described: RowReader = () => ({})): Reply | null {
  let status: TransactionStatus | undefined;
  let error: DatabaseError | undefined;
  let readRow = described;
  let rows: Row[] = [];
  let result: QueryResult | undefined;
  new Parser().parse(Buffer.from(bytes), (message) => {
    if (message instanceof DataRowMessage) rows.push(readRow(message.fields));
    else if (message instanceof RowDescriptionMessage) readRow = rowReader(message.fields);
    else if (message instanceof CommandCompleteMessage) {
      result = { ...readTag(message.text), rows };
      rows = [];
    } else if (message instanceof pg.DatabaseError) error ??= message;
    else if (message instanceof ReadyForQueryMessage) status = STATUS[message.status];
  });
  if (status === undefined) return null;
  if (error !== undefined) return { status, readRow, error };
  return {
    status,
    readRow,
    result: result ?? ({ command: null, rowCount: null, rows: [] } as unknown as QueryResult),
  };
}

export type RowReader = (values: readonly (string | null)[]) => Row;

function rowReader(fields: readonly { name: string; dataTypeID: number }[]): RowReader {
  const parserOf = pg.types.getTypeParser as (oid: number, format: 'text') => (value: string) => unknown;
  const columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID, 'text') }));
  return (values) => {
    const row: Row = {};
    for (const [index, { name, parse }] of columns.entries()) {
      const value = values[index] ?? null;
      row[name] = value === null ? null : parse(value);
    }
    return row;
  };
}

/** "INSERT 0 5" -> INSERT, 5; "CREATE TABLE" -> CREATE, null: as pg reports them. */
function readTag(tag: string): Pick<QueryResult, 'command' | 'rowCount'> {
  const [, command, first, second] = /^([A-Za-z]+)(?: (\d+))?(?: (\d+))?/.exec(tag) ?? [];
  const count = second ?? first;
  return { command, rowCount: count === undefined ? null : Number(count) } as QueryResult;
}
