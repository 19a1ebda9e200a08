import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** This machine does not allow what a scenario needs. */
export class CannotBeTried extends Error {
  override readonly name = 'CannotBeTried';
}

const CHUNK = Buffer.alloc(64 * 1024);

/** A small disk of its own, in memory, that can be filled to the last byte. Only root may mount one. */
export class SmallDisk {
  readonly folder: string;

  constructor(folder: string, megabytes: number) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
    const options = `size=${megabytes}m,mode=0711`;
    const { status, stderr, error } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], {
      encoding: 'utf8',
    });
    if (error !== undefined || status !== 0) {
      throw new CannotBeTried(`a small disk cannot be mounted here: ${error?.message ?? stderr.trim()}`);
    }
  }

  fill(): void {
    const file = openSync(join(this.folder, 'ballast'), 'w');
    try {
      for (;;) writeSync(file, CHUNK);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(join(this.folder, 'ballast'), { force: true });
  }

  remove(): void {
    spawnSync('umount', ['-l', this.folder]);
  }
}
