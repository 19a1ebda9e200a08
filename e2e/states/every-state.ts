import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violationsOfState } from './axe.ts';
import { cutTextOfState } from './cut-text.ts';
import { CATALOGUE } from './catalogue.ts';
import type { Area, State } from './state.ts';
import { visitState } from './walk.ts';
import { newDatabase } from '../support/database.ts';
import { World } from './world.ts';

/** With CATALOGUE_STATES so many of all states, evenly spread; else all. */
function statesOfThisRun(): ReadonlySet<State> {
  const all = CATALOGUE.flatMap(({ states }) => states);
  const count = Math.min(all.length, Number(process.env['CATALOGUE_STATES'] ?? all.length));
  const indexes = Array.from({ length: count }, (_, index) => Math.floor((index * all.length) / count));
  return new Set(indexes.flatMap((index) => all[index] ?? []));
}

/** One test per state of these areas: it is accessible, and all text can be read. */
export function everyState(areas: readonly Area[]): void {
  let world: World;
  beforeAll(async () => {
    world = await World.start({ DATABASE_URL: await newDatabase() });
  });
  afterAll(async () => {
    await world.stop();
  });
  const chosen = statesOfThisRun();
  describe.each(areas.filter(({ states }) => states.some((one) => chosen.has(one))))(
    '$name',
    ({ states }) => {
      test.each(states.filter((one) => chosen.has(one)))('$name', async (state) => {
        const found = await visitState(world, state, async (page) => ({
          accessibility: await violationsOfState(page, state),
          cutText: await cutTextOfState(page, state),
        }));
        expect(found).toEqual({ accessibility: [], cutText: [] });
      });
    },
  );
}
