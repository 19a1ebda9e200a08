import { execFile } from 'node:child_process';
import { chown, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Enough for every command to print its usage, and too short for the work itself. */
const SOON_MS = 60_000;
const SCRIPTS = join(import.meta.dirname, '../scripts');
const COMMANDS = [
  'start',
  'serve',
  'demo/main',
  '../verify/main',
  'bench',
  '../e2e/screenshots',
  'admin',
  'migrate',
  'recover-holds',
  'audit',
  'stripe-setup',
];

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'smartpause-commands-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Ended {
  code: unknown;
  out: string;
  err: string;
}

function run(command: string, ...args: string[]): Promise<Ended> {
  const env = { PATH: process.env['PATH'], DATA_DIR: join(folder, 'data') };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(SCRIPTS, `${command}.ts`), ...args],
      { env, cwd: folder, timeout: SOON_MS },
      (error, out, err) => resolve({ code: error === null ? 0 : (error.code ?? error.signal), out, err }),
    );
  });
}

test.each(COMMANDS)('%s prints its usage and does nothing else', async (command) => {
  const { code, out, err } = await run(command, '--help');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^ *npm (start|run [a-z:-]+)/m);
  expect(await readdir(folder)).toEqual([]);
});

test.each(COMMANDS)('%s refuses unknown arguments', async (command) => {
  const { code, out, err } = await run(command, '--no-such-thing');
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain("'--no-such-thing'");
  expect(err).toMatch(/^ *npm (start|run [a-z:-]+)/m);
  expect(await readdir(folder)).toEqual([]);
});

test.each([
  ['migrate', ['now'], "'now'"],
  ['recover-holds', ['yesterday'], 'It takes the time of the backup.'],
  ['bench', ['nothingLikeThat'], 'reaction'],
  ['../e2e/screenshots', ['nothingLikeThat'], 'dashboard'],
  ['admin', ['grant', 'maya'], 'npm run admin -- grant'],
  ['../verify/main', ['--kills', '0'], '--kills is a whole number from 1'],
  ['../verify/main', ['fuzz', '--requests', 'abc'], '--requests is a whole number from 1'],
  ['../verify/main', ['fuzz', '--seed', ''], '--seed is a whole number from 0'],
  ['../verify/main', ['fuzz', '--only', 'nothingLikeThat'], 'saveSettings'],
  ['../verify/main', ['kill', '--kills', 'abc'], '--kills is a whole number from 1'],
  ['../verify/main', ['simulate', '--seeds', '0'], '--seeds is a whole number from 1'],
])('%s refuses %j before it starts and prints the usage', async (command, args, message) => {
  const { code, out, err } = await run(command, ...args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(message);
});

test.skipIf(process.getuid?.() !== 0)(
  'as root, a command refuses the folder of another user and leaves no files in it',
  async () => {
    const [dataDir, otherUserId] = [join(folder, 'data'), 65_534];
    await mkdir(dataDir);
    await chown(dataDir, otherUserId, otherUserId);
    const { code, out, err } = await run('migrate');
    expect({ code, out, left: await readdir(dataDir) }).toEqual({ code: 1, out: '', left: [] });
    expect(err).toMatch(/^\S+ belongs to the user with the id 65534.*sudo -u/);
    await rm(dataDir, { recursive: true });
  },
);
