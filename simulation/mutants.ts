import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

interface Mutant {
  /** From the root of the project. */
  file: string;
  /** Stands there exactly once. */
  find: string;
  replace: string;
}

/** Faults that are planted in the product, to see that the simulation finds them. */
export const MUTANTS = {
  'forget-the-intent': {
    file: 'src/server/db/holds.ts',
    find: "sp.campaign_id, 'pausing', 1, true,",
    replace: "sp.campaign_id, 'pausing', 1, false,",
  },
  'unknown-is-up': {
    file: 'src/core/smartpause/level.ts',
    find: "return effective === 'UNKNOWN' ? previous : effective;",
    replace: "return effective === 'UNKNOWN' ? 'UP' : effective;",
  },
  'decide-while-unknown': {
    file: 'src/core/smartpause/plan.ts',
    find: "mayDecide: owner.leaving || status.effective !== 'UNKNOWN',",
    replace: 'mayDecide: true,',
  },
  'hold-what-is-paused-already': {
    file: 'src/core/smartpause/plan.ts',
    find: "status === 'ACTIVE' && world.settings.get(id) === 'ON'",
    replace: "status !== 'GONE' && world.settings.get(id) === 'ON'",
  },
  'pause-again-over-a-hand': {
    file: 'src/core/smartpause/decide-hold.ts',
    find: "return decideFoundChanged(hold, 'ACTIVE', given);",
    replace:
      "return given.pauseWanted ? take({ kind: 'pause' }) : decideFoundChanged(hold, 'ACTIVE', given);",
  },
  'pause-although-smartpause-was-turned-off': {
    file: 'src/server/db/holds.ts',
    find: "where sp.setting = 'ON' and person.leaving is null for share of sp, person",
    replace: 'for share of sp, person',
  },
  'a-midnight-without-summer-time': {
    file: 'src/core/smartpause/resume-time.ts',
    find: 'return nextOneMinutePastMidnight(matchEndedAt);',
    replace: 'return Math.ceil((matchEndedAt - 18_060_000) / 86_400_000) * 86_400_000 + 18_060_000;',
  },
} satisfies Record<string, Mutant>;

export type MutantName = keyof typeof MUTANTS;

export function isMutant(name: string): name is MutantName {
  return Object.hasOwn(MUTANTS, name);
}

/** From now on whoever imports the file gets it with the fault. @throws if the place is not there exactly once */
export function plantMutant(name: MutantName): void {
  const { file, find, replace } = MUTANTS[name];
  const path = join(ROOT, file);
  const sound = readFileSync(path, 'utf8');
  if (sound.split(find).length !== 2) throw new Error(`'${find}' is not exactly once in ${file}`);
  const url = pathToFileURL(path).href;
  registerHooks({
    load: (asked, context, nextLoad) => {
      const loaded = nextLoad(asked, context);
      return asked === url ? { ...loaded, source: sound.replace(find, () => replace) } : loaded;
    },
  });
}
