import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeBrowser } from '../../scripts/browser/browser.ts';
import { violationsOfState } from './axe.ts';
import { cutTextOfState } from './cut-text.ts';
import type { Area } from './state.ts';
import { visitState } from './walk.ts';
import { newDatabase } from '../support/database.ts';
import { World } from './world.ts';

/** One test per state of these areas: it is accessible, and all text can be read. */
export function everyState(areas: readonly Area[]): void {
  let world: World;
  beforeAll(async () => {
    world = await World.start({ DATABASE_URL: await newDatabase() });
  });
  afterAll(async () => {
    await closeBrowser();
    await world.stop();
  });
  describe.each(areas)('$name', ({ states }) => {
    test.each(states)('$name', async (state) => {
      const found = await visitState(world, state, async (page) => ({
        accessibility: await violationsOfState(page, state),
        cutText: await cutTextOfState(page, state),
      }));
      expect(found).toEqual({ accessibility: [], cutText: [] });
    });
  });
}
