import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { prepareDevelopment } from '../scripts/development.ts';

const DATABASE_URL = 'postgres://database.example/theirs';
const COMMAND = { isCommand: true, mayCreateDatabase: false };
let DATA_DIR = '';

beforeEach(async () => {
  DATA_DIR = await mkdtemp(join(tmpdir(), 'smartpause-development-'));
});
afterEach(() => rm(DATA_DIR, { recursive: true }));

test.each([
  ['in production nothing is created, whatever is missing', { NODE_ENV: 'production' }],
  ['given settings win', { DATABASE_URL, ENCRYPTION_KEY: 'theirs' }],
])('%s', async (_title, given) => {
  const environment = { DATA_DIR, ...given };
  const prepared = await prepareDevelopment(environment);
  expect([prepared.environment, prepared.ownsDatabase]).toEqual([environment, false]);
  expect(await readdir(DATA_DIR)).toEqual([]);
});

test('the key of a data folder is created once, by the server alone, and readable by its owner alone', async () => {
  const given = { DATA_DIR, DATABASE_URL };
  expect((await prepareDevelopment(given, COMMAND)).environment).toEqual(given);
  const { environment: first } = await prepareDevelopment(given);
  expect(first['ENCRYPTION_KEY']).toMatch(/^\S{32,}$/);
  expect((await prepareDevelopment(given)).environment).toEqual(first);
  expect((await prepareDevelopment(given, COMMAND)).environment).toEqual(first);
  expect((await stat(join(DATA_DIR, 'encryption-key'))).mode & 0o777).toBe(0o600);
});

test('a command creates no database unless it may', async () => {
  const prepared = prepareDevelopment({ DATA_DIR }, COMMAND);
  await expect(prepared).rejects.toThrow(`There is no database in ${DATA_DIR} (DATA_DIR).`);
  expect(await readdir(DATA_DIR)).toEqual([]);
});
