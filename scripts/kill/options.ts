import { oneOf, readArguments, whole } from '../arguments.ts';
import { SCENARIOS } from './scenarios.ts';

export interface KillOptions {
  kills: number;
  /** Null: as many as each run is made for. */
  processes: number | null;
  seed: number;
  only: string | null;
}

const USAGE = `npm run kill -- [--only run] [--kills N] [--processes 1-4] [--seed S]

${SCENARIOS.map(({ name, what }) => `  ${name}: ${what}`).join('\n')}`;

export function readOptions(): KillOptions {
  const names = ['only', 'kills', 'processes', 'seed'] as const;
  return readArguments({ usage: USAGE, names }, ({ values }) => {
    const { only, kills = '200', processes, seed = '1' } = values;
    return {
      kills: whole('kills', kills, 1, 100_000),
      processes: processes === undefined ? null : whole('processes', processes, 1, 4),
      seed: whole('seed', seed, 0, 2 ** 32 - 1),
      only:
        only === undefined
          ? null
          : oneOf(
              'only',
              only,
              SCENARIOS.map(({ name }) => name),
            ),
    };
  });
}
