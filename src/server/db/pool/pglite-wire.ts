import pg from 'pg';
import { prepareValue } from 'pg/lib/utils.js';
import type { DatabaseError } from 'pg-protocol';
import { serialize } from 'pg-protocol';
import {
  CommandCompleteMessage,
  DataRowMessage,
  NotificationResponseMessage,
  ReadyForQueryMessage,
  RowDescriptionMessage,
} from 'pg-protocol/dist/messages.js';
import { Parser } from 'pg-protocol/dist/parser.js';
import type { QueryResult, Row } from './pool.ts';

// Messages are written and read by pg's own functions, and so are the values in them: everything means the same on
// both engines. The embedded engine only ever sees PostgreSQL's wire protocol.

export type TransactionStatus = 'idle' | 'open' | 'failed';
export type Reply = {
  status: TransactionStatus;
  heard: Heard[];
  /** As its rows were described. */
  readRow: RowReader;
} & ({ result: QueryResult } | { error: Error });

/** What was said with NOTIFY on a channel that the session listens to. */
export interface Heard {
  channel: string;
  payload: string;
}

const STATUS: Partial<Record<string, TransactionStatus>> = { I: 'idle', T: 'open', E: 'failed' };

export function encodeQuery(text: string, values: readonly unknown[]): Uint8Array<ArrayBuffer> {
  // Nobody here sends COPY data. Without a refusal the engine would take the silence for a lost client and stop;
  // outside of COPY it ignores the refusal.
  const noCopy = /\bcopy\b/i.test(text) ? [serialize.copyFail('COPY from the client is not supported')] : [];
  if (values.length === 0) return join([serialize.query(text), ...noCopy]);
  return join([
    serialize.parse({ text }),
    serialize.bind({ values: values.map((value) => prepareValue(value)) }),
    serialize.describe({ type: 'P' }),
    serialize.execute(),
    ...noCopy,
    serialize.sync(),
  ]);
}

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
  const heard: Heard[] = [];
  new Parser().parse(Buffer.from(bytes), (message) => {
    if (message instanceof DataRowMessage) rows.push(readRow(message.fields));
    else if (message instanceof RowDescriptionMessage) readRow = rowReader(message.fields);
    else if (message instanceof CommandCompleteMessage) {
      result = { ...readTag(message.text), rows };
      rows = [];
    } else if (message instanceof pg.DatabaseError) error ??= message;
    else if (message instanceof NotificationResponseMessage) heard.push(message);
    else if (message instanceof ReadyForQueryMessage) status = STATUS[message.status];
  });
  if (status === undefined) return null;
  if (error !== undefined) return { status, heard, readRow, error };
  return {
    status,
    heard,
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

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
