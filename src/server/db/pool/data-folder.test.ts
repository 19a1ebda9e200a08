import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimDataFolder, hasDatabase } from './data-folder.ts';

const NOBODY = 65_534;
let home: string;

beforeAll(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'smartpause-folder-'));
});
afterAll(() => fs.rmSync(home, { recursive: true, force: true }));

const newFolder = (): string => fs.mkdtempSync(path.join(home, 'data-'));

/** What root writes there the service could not open. */
describe.skipIf(process.getuid?.() !== 0)('root', () => {
  it('has no database in the folder of another user, and leaves nothing there', () => {
    const dataDir = newFolder();
    fs.chownSync(dataDir, NOBODY, NOBODY);
    const told = /belongs to the user with the id 65534.*sudo -u/s;
    expect(() => claimDataFolder(dataDir)).toThrow(told);
    expect(fs.readdirSync(dataDir)).toEqual([]);
  });

  it('nor in the database folder of another user', () => {
    const dataDir = newFolder();
    fs.mkdirSync(path.join(dataDir, 'pglite'));
    fs.chownSync(path.join(dataDir, 'pglite'), NOBODY, NOBODY);
    expect(() => claimDataFolder(dataDir)).toThrow('belongs to the user');
    expect(fs.readdirSync(dataDir)).toEqual(['pglite']);
  });

  it('has one in its own folder', () => {
    const dataDir = newFolder();
    claimDataFolder(dataDir).lock.release();
    expect(hasDatabase(dataDir)).toBe(false);
  });
});
