import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withSnapshot, writeBackup } from '../src/server/db/backup/backup.ts';
import type { RestoreOptions } from '../src/server/db/backup/restore.ts';
import { restoreBackup, restoreRows } from '../src/server/db/backup/restore.ts';
import type { Db } from '../src/server/db/database.ts';
import { createDb } from '../src/server/db/database.ts';
import { migrations } from '../src/server/db/migrations/index.ts';
import { openDatabase } from '../src/server/db/pool/open.ts';
import type { Engine, FreshDatabase } from './database.ts';
import { engines, freshDatabase, silentLog } from './database.ts';
import { emptyTables, everythingIn, fillEveryTable, untriedColumns } from './every-table.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
let folder = '';
let source: FreshDatabase;
/** One backup of a database with a row in every table, for all tests that read. */
let backup = '';
let rowsOfBackup: string[] = [];

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(tmpdir(), 'smartpause-backup-'));
  source = await freshDatabase('postgresql');
  await fillEveryTable(createDb(source.pool));
  backup = path.join(folder, 'whole');
  rowsOfBackup = await everythingIn(createDb(source.pool));
  await writeBackup(createDb(source.pool), { file: backup, overwrite: false, now: NOW });
});
afterAll(async () => {
  await source.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** A place to restore into, and what is in it afterwards. */
interface Target {
  options: RestoreOptions;
  look: <T>(use: (db: Db) => Promise<T>) => Promise<T>;
  close: () => Promise<void>;
}

async function newTarget(engine: Engine): Promise<Target> {
  const dataDir = fs.mkdtempSync(path.join(folder, 'data-'));
  const server = engine === 'pglite' ? null : await freshDatabase('postgresql', { migrations: {} });
  // Nobody may be connected to a database that is restored into.
  await server?.pool.end();
  const place = { url: server?.url, dataDir, log: silentLog };
  return {
    options: { ...place, migrations, replace: false, isLatest: true, now: NOW },
    async look(use) {
      const database = await openDatabase(place);
      try {
        return await use(createDb(database.pool));
      } finally {
        await database.close();
      }
    },
    close: () => server?.close() ?? Promise.resolve(),
  };
}

test('every table has a row, and every column a value, in what is tried here', async () => {
  const db = createDb(source.pool);
  expect(await emptyTables(db)).toEqual([]);
  // Leases end with a restore: see below.
  const leases = ['lane.lease_owner', 'lane.lease_until', 'mail.lease_until'];
  expect(await untriedColumns(db)).toEqual([
    ...leases,
    'platform_status.poller',
    'platform_status.poller_until',
  ]);
});

describe.each(engines.flatMap((from) => engines.map((to) => [from, to] as const)))(
  'from %s to %s',
  (from, to) => {
    let target: Target;
    beforeEach(async () => {
      target = await newTarget(to);
    });
    afterEach(() => target.close());

    test('every row comes back as it was, and new ones are counted on from there', async () => {
      const file = path.join(folder, `${from}-${to}`);
      const origin = from === 'postgresql' ? source : await freshDatabase(from);
      const db = createDb(origin.pool);
      if (origin !== source) await fillEveryTable(db);
      const written = await writeBackup(db, { file, overwrite: false, now: NOW });
      const before = await everythingIn(db);

      const restored = await restoreBackup(file, target.options);

      expect(restored.counts).toEqual(written.counts);
      expect(restored.applied).toEqual([]);
      expect(restored.found).toEqual({ held: 1, unsent: 1, directive: 'HIGH_DISRUPTION' });
      expect(await target.look(everythingIn)).toEqual(before);
      await target.look(async (there) => {
        expect(await countOn(there)).toEqual(await countOn(db));
        await announcesAndForbids(there);
      });
      if (origin !== source) await origin.close();
    });
  },
);

/** The identity of one more observation, which is taken back. */
async function countOn(db: Db): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into observation (at, true_level, effective, known, message) values (now(), 'UP', 'UP', 'UP', '') returning id`.execute(
    db,
  );
  const id = rows[0]?.id ?? '';
  await sql`delete from observation where id = ${id}`.execute(db);
  return id;
}

async function announcesAndForbids(db: Db): Promise<void> {
  const { rows } = await sql<{ disabled: string; all: string }>`
    select count(*) filter (where tgenabled <> 'O') as disabled, count(*) as "all"
    from pg_trigger where not tgisinternal`.execute(db);
  expect(rows[0]?.disabled).toBe('0');
  expect(Number(rows[0]?.all)).toBeGreaterThan(15);
  const orphan = sql`insert into session (token_hash, person_id, created_at, expires_at, last_used_at)
    values ('\\x77', 999, now(), now(), now())`;
  await expect(orphan.execute(db)).rejects.toMatchObject({ code: '23503' });
}

describe.each(engines)('a restore into %s', (engine) => {
  let target: Target;
  beforeEach(async () => {
    target = await newTarget(engine);
  });
  afterEach(() => target.close());

  test('ends the leases of a process that is no more, and what may have been ended since', async () => {
    const file = path.join(folder, `leased-${engine}`);
    const origin = await freshDatabase('postgresql');
    const db = createDb(origin.pool);
    await fillEveryTable(db);
    await sql`update lane set next_due_at = '2030-01-01Z', lease_owner = 'somebody', lease_until = '2030-01-01Z'
      where account_id = 'act_1'`.execute(db);
    await sql`update platform_status set poller = 'somebody', poller_until = '2030-01-01Z'`.execute(db);
    await sql`update mail set lease_until = '2030-01-01Z'`.execute(db);
    await writeBackup(db, { file, overwrite: false, now: NOW });
    await origin.close();
    await restoreBackup(file, { ...target.options, isLatest: false });
    await target.look(async (there) => {
      const lane = await there.selectFrom('lane').selectAll().where('account_id', '=', 'act_1').execute();
      expect(lane).toMatchObject([
        { lease_owner: null, lease_until: null, lease_no: 5, next_due_at: new Date(NOW) },
      ]);
      const status = await there.selectFrom('platform_status').selectAll().execute();
      expect(status).toMatchObject([{ poller: null, poller_until: null, checked_at: null }]);
      expect(await there.selectFrom('mail').select('lease_until').distinct().execute()).toEqual([
        { lease_until: null },
      ]);
      expect(await there.selectFrom('session').selectAll().execute()).toEqual([]);
      expect(await there.selectFrom('login_attempt').selectAll().execute()).toEqual([]);
      const tokens = there.selectFrom('platform_token').select('check_at').where('refused_at', 'is', null);
      expect(await tokens.execute()).toEqual([{ check_at: new Date(NOW) }]);
    });
  });

  test('brings a backup of an older version up to this one', async () => {
    const names = Object.keys(migrations);
    const older = Object.fromEntries(Object.entries(migrations).slice(0, 8));
    const origin = await freshDatabase('postgresql', { migrations: older });
    const db = createDb(origin.pool);
    await sql`insert into person (platform_user_id, name, resume_settings, logged_in_at, created_at)
      values ('1', 'Somebody', '{}', now(), now())`.execute(db);
    await sql`insert into hold (person_id, account_id, campaign_id, state, created_at)
      values (1, 'act_1', '1', 'paused', now())`.execute(db);
    const file = path.join(folder, `older-${engine}`);
    await writeBackup(db, { file, overwrite: false, now: NOW });
    await origin.close();
    const restored = await restoreBackup(file, target.options);
    expect(restored.applied).toEqual(names.slice(8));
    await target.look(async (there) => {
      expect(await there.selectFrom('hold').select(['campaign_id', 'turned_off']).execute()).toEqual([
        { campaign_id: '1', turned_off: false },
      ]);
    });
  });

  test('takes the place of what is there only when it is told to, and only when it is whole', async () => {
    await restoreBackup(backup, target.options);
    await target.look((db) => sql`update person set name = 'Changed since'`.execute(db));
    const before = await target.look(everythingIn);
    await expect(restoreBackup(backup, target.options)).rejects.toThrow(/--replace/);
    const broken = withSnapshot(createDb(source.pool), NOW, ({ facts, pieces }) =>
      restoreRows({ facts, pieces: untilHalf(pieces) }, { ...target.options, replace: true }),
    );
    await expect(broken).rejects.toThrow('the cable was pulled');
    expect(await target.look(everythingIn)).toEqual(before);
    expect(fs.readdirSync(target.options.dataDir).filter((name) => name !== 'pglite.lock')).toEqual(
      engine === 'pglite' ? ['pglite'] : [],
    );
    const { former } = await restoreBackup(backup, { ...target.options, replace: true });
    expect(await target.look(everythingIn)).toEqual(rowsOfBackup);
    expect(former === null ? [] : fs.readdirSync(former)).toEqual(
      engine === 'pglite' ? expect.arrayContaining(['PG_VERSION']) : [],
    );
  });

  test.each([
    ['cut off in the middle', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2), /damaged/],
    ['without its last line', repacked((lines) => lines.slice(0, -1)), /its end is missing/],
    ['without one of its rows', repacked((lines) => lines.toSpliced(5, 1)), /not what was written/],
    [
      'with a changed value',
      repacked((lines) => lines.map((line) => line.replace('USD', 'EUR'))),
      /not what was written/,
    ],
    ['with something behind its end', repacked((lines) => [...lines, '{}']), /not what was written/],
    ['with a broken byte', (bytes: Buffer) => withBrokenByte(bytes), /damaged/],
    ['of something else', () => Buffer.from('PGDMP of somebody'), /not a backup/],
    ['of something else, packed', () => gzipSync('{"hello": 1}\n'), /not a backup/],
    ['of nothing', () => gzipSync(''), /empty/],
    [
      'in a newer format',
      repacked((lines) => lines.map((line) => line.replace('"version":1', '"version":2'))),
      /newer version/,
    ],
    [
      'of a newer SmartPause',
      signedAnew((line) => line.replace('"0001-first"', '"0001-first","9999-later"')),
      /9999-later, unknown here/,
    ],
    [
      'with a missing migration',
      signedAnew((line) => line.replace('"0002-people-and-mail",', '')),
      /migrations are missing/,
    ],
    [
      'with other tables',
      signedAnew((line) =>
        line.replace('"name":"daily_budget","type":"bigint"', '"name":"budget","type":"bigint"'),
      ),
      /not those that its migrations make: campaign.daily_budget is missing/,
    ],
  ] as const)('of a file %s is refused', async (_what, spoil, told) => {
    const file = path.join(folder, `spoilt-${engine}`);
    fs.writeFileSync(file, spoil(fs.readFileSync(backup)));
    await expect(restoreBackup(file, target.options)).rejects.toThrow(told);
    if (engine === 'pglite') {
      expect(fs.existsSync(path.join(target.options.dataDir, 'pglite'))).toBe(false);
    } else {
      await target.look(async (db) => expect(await everythingIn(db)).toEqual([]));
    }
  });
});

async function* untilHalf<T>(pieces: AsyncIterable<T>): AsyncGenerator<T> {
  let count = 0;
  for await (const piece of pieces) {
    if ((count += 1) > 10) throw new Error('the cable was pulled');
    yield piece;
  }
}

function repacked(change: (lines: string[]) => string[]) {
  return (bytes: Buffer): Buffer => {
    const lines = gunzipSync(bytes).toString().split('\n').slice(0, -1);
    return gzipSync(`${change(lines).join('\n')}\n`);
  };
}

/** By somebody who knows how it is made. */
function signedAnew(changeHeader: (line: string) => string) {
  return repacked((lines) => {
    const changed = [changeHeader(lines[0] ?? ''), ...lines.slice(1, -1)];
    expect(changed[0]).not.toBe(lines[0]);
    const sha256 = createHash('sha256')
      .update(changed.map((line) => `${line}\n`).join(''))
      .digest('hex');
    return [...changed, JSON.stringify({ lines: changed.length, sha256 })];
  });
}

function withBrokenByte(bytes: Buffer): Buffer {
  const broken = Buffer.from(bytes);
  const at = Math.floor(broken.length * 0.6);
  broken[at] = (broken[at] ?? 0) ^ 0xff;
  return broken;
}
