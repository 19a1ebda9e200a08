import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DurableNodeFS } from './durable-fs.ts';

// The engine's side of the hooks, as emscripten's NODEFS has it; the disk is real.
interface Host {
  stream_ops: { fsync?: (stream: { nfd?: number }) => number };
  node_ops: Record<string, (...args: unknown[]) => unknown>;
  realPath: (node: { at: string }) => string;
}

let folder: string;
const onSync = vi.fn();
const onSyncFailed = vi.fn((error: unknown): never => {
  throw new Error('died', { cause: error });
});

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smartpause-durable-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  onSync.mockClear();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function install(): Promise<Host> {
  const rename = ({ at }: { at: string }, to: { at: string }, name: string) =>
    fs.renameSync(at, path.join(to.at, name));
  const node_ops = Object.fromEntries(
    ['mknod', 'unlink', 'rmdir', 'symlink'].map((name) => [name, () => undefined]),
  );
  const host = {
    stream_ops: {},
    node_ops: { ...node_ops, rename },
    realPath: ({ at }: { at: string }) => at,
  } as Host;
  const durable = new DurableNodeFS(folder, { sync: onSync, syncFailed: onSyncFailed });
  const { emscriptenOpts } = await durable.init({} as never, {});
  const engine = { NODEFS: host, FS: { mkdirTree: () => undefined, mount: () => undefined } };
  for (const prepare of emscriptenOpts.preRun ?? []) prepare(engine as never);
  return host;
}

it('syncs the folders of a renamed file before the next file, once', async () => {
  const host = await install();
  const [from, to] = ['from', 'to'].map((name) => path.join(folder, name)) as [string, string];
  for (const one of [from, to]) fs.mkdirSync(one);
  const file = path.join(from, 'segment');
  fs.writeFileSync(file, '1');
  host.node_ops['rename']?.({ at: file }, { at: to }, 'segment');

  const descriptor = fs.openSync(path.join(to, 'segment'), 'r+');
  const synced: number[] = [];
  const real = fs.fsyncSync;
  vi.spyOn(fs, 'fsyncSync').mockImplementation((one) => {
    synced.push(fs.fstatSync(one).ino);
    real(one);
  });
  expect(host.stream_ops.fsync?.({ nfd: descriptor })).toBe(0);
  host.stream_ops.fsync?.({ nfd: descriptor });
  fs.closeSync(descriptor);

  const inode = (one: string): number => fs.statSync(one).ino;
  const segment = inode(path.join(to, 'segment'));
  expect(synced).toEqual([inode(from), inode(to), segment, segment]);
  expect(onSync).toHaveBeenCalledTimes(2);
});

it('ends the engine when the disk does not confirm', async () => {
  const host = await install();
  expect(() => host.stream_ops.fsync?.({ nfd: 1_000_000 })).toThrow('died');
  expect(onSyncFailed.mock.calls[0]?.[0]).toMatchObject({ code: 'EBADF' });
  expect(onSync).not.toHaveBeenCalled();
});
