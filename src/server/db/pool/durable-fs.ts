import fs from 'node:fs';
import path from 'node:path';
import { NodeFS } from '@electric-sql/pglite/nodefs';

// PGlite starts PostgreSQL with fsync off, and its NodeFS has no fsync at all. This file system has one: what a
// commit promises is on the disk. Directories are synced too, before the next file sync that relies on them.

interface OpenFile {
  nfd?: number;
}

type Node = object;

interface HostFileSystem {
  stream_ops: { fsync?: (stream: OpenFile) => number };
  node_ops: Record<DirectoryChange, (...args: never[]) => unknown>;
  realPath(node: Node): string;
}

const DIRECTORY_CHANGES = ['mknod', 'rename', 'unlink', 'rmdir', 'symlink'] as const;
type DirectoryChange = (typeof DIRECTORY_CHANGES)[number];

export const FSYNC_PARAMETERS = ['-c', 'fsync=on', '-c', 'wal_sync_method=fsync'];

export class DurableNodeFS extends NodeFS {
  readonly #onSync: () => void;
  readonly #onSyncFailed: (error: unknown) => never;
  readonly #changedFolders = new Set<string>();

  constructor(folder: string, on: { sync: () => void; syncFailed: (error: unknown) => never }) {
    super(folder);
    this.#onSync = on.sync;
    this.#onSyncFailed = on.syncFailed;
  }

  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const result = await super.init(...args);
    result.emscriptenOpts.preRun?.push((mod) => this.#install(mod.NODEFS as HostFileSystem));
    return result;
  }

  #install(host: HostFileSystem): void {
    host.stream_ops.fsync = (stream) => {
      this.#sync(stream);
      return 0;
    };
    for (const change of DIRECTORY_CHANGES) {
      const original = host.node_ops[change];
      host.node_ops[change] = (...args: never[]) => {
        const outcome = original(...args);
        this.#noteChange(host, change, args);
        return outcome;
      };
    }
  }

  #noteChange(host: HostFileSystem, change: DirectoryChange, args: readonly Node[]): void {
    const [first, second] = args;
    if (first === undefined) return;
    if (change !== 'rename') this.#changedFolders.add(host.realPath(first));
    else {
      this.#changedFolders.add(path.dirname(host.realPath(first)));
      if (second !== undefined) this.#changedFolders.add(host.realPath(second));
    }
  }

  // A failed fsync may have dropped the dirty pages, so trying again would lie: the engine has to die and recover.
  #sync({ nfd }: OpenFile): void {
    try {
      for (const folder of this.#changedFolders) syncFolder(folder);
      this.#changedFolders.clear();
      if (nfd !== undefined) fs.fsyncSync(nfd);
      this.#onSync();
    } catch (error) {
      this.#onSyncFailed(error);
    }
  }
}

export function syncTree(folder: string): void {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) syncTree(file);
    else if (entry.isFile()) syncFile(file);
  }
  syncFolder(folder);
}

export function syncFolder(folder: string): void {
  // Windows cannot open a folder as a file; its file systems journal names themselves.
  if (process.platform === 'win32' || !fs.existsSync(folder)) return;
  syncFile(folder);
}

function syncFile(file: string): void {
  const descriptor = fs.openSync(file, 'r');
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}
