import { parseArgs } from 'node:util';
import type { DatabaseKind } from './stage.ts';

export interface KillOptions {
  kills: number;
  databases: DatabaseKind[];
  /** Null: as many as each run is made for. */
  processes: number | null;
  seed: number;
  only: string | null;
}

const DATABASES: DatabaseKind[] = ['postgres', 'pglite'];

export const HELP = `npm run kill -- [--only scenario] [--database ${DATABASES.join('|')}] [--kills N] [--processes 1-4] [--seed S]`;

/**
 * @returns null when only help is wanted
 * @throws Error that says what may be asked for
 */
export function readOptions(args: string[]): KillOptions | null {
  const { values } = parseArgs({
    args,
    options: {
      kills: { type: 'string', default: '200' },
      database: { type: 'string' },
      processes: { type: 'string' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) return null;
  const database = DATABASES.find((one) => one === values.database);
  if (values.database !== undefined && database === undefined) {
    throw new Error(`--database is one of: ${DATABASES.join(', ')}`);
  }
  return {
    kills: whole('kills', values.kills, 1, 100_000),
    databases: database === undefined ? DATABASES : [database],
    processes: values.processes === undefined ? null : whole('processes', values.processes, 1, 4),
    seed: whole('seed', values.seed, 0, 2 ** 32 - 1),
    only: values.only ?? null,
  };
}

function whole(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new Error(`--${name} is a whole number from ${least} to ${most}`);
  }
  return value;
}
