/**
 * The product as the fuzzer meets it, in a process of its own: what serves pages and calls, and beside it the engine,
 * as two of its processes would share a database. So nothing that happens within a request is the engine's.
 */
import { Writable } from 'node:stream';
import { createApp } from '../../src/server/app.ts';
import { readConfig } from '../../src/server/config.ts';
import { openDatabase } from '../../src/server/db/pool/open.ts';
import type { Database } from '../../src/server/db/pool/open.ts';
import type { FromProduct, ToProduct } from './messages.ts';
import { faultsOfRefused } from './rules.ts';
import { Secrets } from './secrets.ts';
import { followActs, followRequests, installWitness, witnessed } from './witness.ts';

const ERROR_LEVEL = 50;
/** Told to whoever runs the product, rightly: here nobody has paid. */
const EXPECTED_ERROR = 'somebody paid whom nobody here knows';
const KEPT_ROWS: Record<string, number> = { activity: 600, mail: 200, session: 400 };
const webFolder = process.env['WEB_FOLDER'] ?? '';
const secrets = new Secrets();
const findings = new Set<string>();
let logLines = 0;
let rest = '';

const logTo = new Writable({
  write(chunk: Buffer, _encoding, done) {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) readLog(line);
    done();
  },
});

function readLog(line: string): void {
  logLines += 1;
  const { level, msg, err } = JSON.parse(line) as { level: number; msg: string; err?: { stack: string } };
  if (level >= ERROR_LEVEL && msg !== EXPECTED_ERROR)
    findings.add(`the log has an error: ${msg} ${err?.stack ?? line}`);
  for (const secret of secrets.foundIn(line)) findings.add(`the log has ${secret}: ${line.slice(0, 300)}`);
}

const tell = (message: FromProduct) => process.send?.(message);
const log = { info: () => undefined, warn: console.warn, error: console.error };
const database = await openDatabase({ url: process.env['DATABASE_URL'], log });
const staying: Database = { ...database, close: () => Promise.resolve() };
staying.pool = { ...bound(database), end: () => Promise.resolve() };
const configOf = (role: string) => readConfig({ ...process.env, ROLE: role });
const worker = await createApp(configOf('worker'), { webFolder, database: staying, logTo });
await installWitness(database.pool);
const web = await createApp(configOf('web'), { webFolder, database: witnessed(staying), logTo });
followActs();
const requests = followRequests(web.http.server, database.pool, (over) => {
  if (over.label !== null) tell({ kind: 'over', ...over, label: over.label });
  else if (over.refused) {
    for (const fault of faultsOfRefused(over)) findings.add(`${over.what} (${over.status ?? '-'}): ${fault}`);
  }
});

function bound({ pool }: Database): Database['pool'] {
  return {
    options: pool.options,
    connect: () => pool.connect(),
    query: (text, values) => pool.query(text, values),
    end: () => pool.end(),
  };
}

/**
 * A hundred thousand requests by eight people leave them with more history than anybody has in years: reading and sending
 * it would be most of what is done, and the memory of a run would grow by it. Many exports at once are the limits' matter.
 */
async function forgetOld(): Promise<void> {
  for (const table of ['activity', 'mail', 'session']) {
    await database.pool.query(`delete from ${table} where id < (select max(id) - $1 from ${table})`, [
      KEPT_ROWS[table],
    ]);
  }
}

async function sweep(): Promise<void> {
  for (const { what, status, change } of await requests.sweep()) {
    for (const fault of faultsOfRefused({ what, status, changes: [change], acts: [] })) {
      findings.add(`${what}: ${fault}`);
    }
  }
  await forgetOld();
  globalThis.gc?.();
  const heapBytes = process.memoryUsage().heapUsed + process.memoryUsage().external;
  tell({ kind: 'sweep', findings: [...findings], heapBytes, requests: requests.count(), logLines });
  findings.clear();
}

process.on('message', (message: ToProduct) => {
  if (message.kind === 'secret') secrets.add(message.value);
  else if (message.kind === 'sweep') void sweep();
  else {
    void web
      .close()
      .then(() => worker.close())
      .then(() => database.close())
      .then(() => process.exit(0));
  }
});
// Whoever started this is gone.
process.once('disconnect', () => process.exit(1));
await web.http.listen({ port: configOf('web').port, host: '127.0.0.1' });
tell({ kind: 'ready' });
