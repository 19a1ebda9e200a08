import fs from 'node:fs';
import path from 'node:path';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { DurableNodeFS, FSYNC_PARAMETERS, syncFolder, syncTree } from './durable-fs.ts';
import { PLANNER_SETTINGS } from './pool.ts';
import type { WorkerReply, WorkerRequest, WorkerSettings } from './pglite-thread.ts';

if (parentPort === null) throw new Error('pglite-worker.ts runs as a worker thread only.');
const port: MessagePort = parentPort;
const settings = workerData as WorkerSettings;
const lastWords: string[] = [];

function send(reply: WorkerReply, transfer: ArrayBuffer[] = []): void {
  port.postMessage(reply, transfer);
}

function die(error: unknown): never {
  send({ kind: 'lost', reason: describe(error), lastWords: lastWords.join('\n') });
  process.exit(1);
}

// Emscripten throws an ExitStatus, which is no Error.
function describe(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error);
}

function noteOutput(text: string): boolean {
  lastWords.push(text);
  if (lastWords.length > 10) lastWords.shift();
  return false;
}

/** As for PostgreSQL: see its pool. */
const PLANNER_PARAMETERS = Object.entries(PLANNER_SETTINGS).flatMap(([name, value]) => [
  '-c',
  `${name}=${value}`,
]);

async function open(): Promise<PGlite> {
  const options: PGliteOptions = { onStderr: noteOutput };
  if (settings.restoreFrom !== undefined) {
    options.loadDataDir = new Blob([fs.readFileSync(settings.restoreFrom)]);
  }
  if (settings.folder === null) return await PGlite.create(options);
  if (settings.isNew) await initialise(settings.folder, options);
  return await openFolder(settings.folder, { onStderr: noteOutput });
}

// Made beside its final place and renamed when it is whole and on the disk: a crash never leaves half a database.
async function initialise(folder: string, options: PGliteOptions): Promise<void> {
  const draft = `${folder}.new`;
  fs.rmSync(draft, { recursive: true, force: true });
  fs.mkdirSync(draft, { mode: 0o700 });
  const database = await openFolder(draft, options);
  await database.close();
  syncTree(draft);
  fs.rmSync(folder, { recursive: true, force: true });
  fs.renameSync(draft, folder);
  syncFolder(path.dirname(folder));
}

async function openFolder(folder: string, options: PGliteOptions): Promise<PGlite> {
  const fsyncs = new Int32Array(settings.fsyncs);
  const durable = new DurableNodeFS(folder, {
    sync: () => void Atomics.add(fsyncs, 0, 1),
    syncFailed: (error) => die(`the disk did not confirm a write (${describe(error)})`),
  });
  const startParams = [
    ...PGlite.defaultStartParams.filter((one) => one !== '-F'),
    ...FSYNC_PARAMETERS,
    ...PLANNER_PARAMETERS,
  ];
  return await PGlite.create({ ...options, fs: durable, startParams });
}

async function execute(database: PGlite, bytes: Uint8Array): Promise<ArrayBuffer> {
  const chunks: Uint8Array[] = [];
  await database.execProtocolRawStream(bytes, {
    syncToFs: false,
    onRawData: (chunk) => void chunks.push(chunk.slice()),
  });
  const whole = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole.buffer;
}

async function answer(database: PGlite, request: WorkerRequest): Promise<void> {
  switch (request.kind) {
    case 'query': {
      const bytes = await execute(database, request.bytes);
      send({ kind: 'done', id: request.id, bytes }, [bytes]);
      return;
    }
    case 'dump': {
      const dump = await database.dumpDataDir('none');
      fs.writeFileSync(request.file, new Uint8Array(await dump.arrayBuffer()));
      send({ kind: 'done', id: request.id, bytes: new ArrayBuffer(0) });
      return;
    }
    case 'close':
      await database.exec('ROLLBACK'); // of a client that was never released
      await database.exec('CHECKPOINT');
      await database.close();
      send({ kind: 'done', id: request.id, bytes: new ArrayBuffer(0) });
      port.close();
  }
}

try {
  const database = await open();
  port.on('message', (request: WorkerRequest) => {
    answer(database, request).catch(die);
  });
  send({ kind: 'ready' });
} catch (error) {
  die(error);
}
