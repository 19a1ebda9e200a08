import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildWeb } from '../scripts/build.ts';
import { closeBrowser } from '../scripts/browser/browser.ts';
import { CATALOGUE } from './states/catalogue.ts';
import type { Area, State } from './states/state.ts';
import type { Shape } from './states/walk.ts';
import { shapesOf, takeShape, visitState } from './states/walk.ts';
import { World } from './states/world.ts';
import { NotUnderstood, readArguments } from '../scripts/arguments.ts';
import { takeReadmePictures } from '../scripts/pictures/readme.ts';
import { ROOT } from '../scripts/run.ts';

// Screenshots of every state of every page: `npm run screenshots`. Select by area or name:
// `npm run screenshots -- dashboard settings/saved`.

const FOLDER = join(ROOT, 'screenshots');
const README = 'readme';

const USAGE = `npm run screenshots -- [area | area/state …]
npm run screenshots -- readme    the pictures of the README, from the running demo

Areas: ${CATALOGUE.map(({ name }) => name).join(', ')}`;

const isMeant = (one: string, area: Area, state: State): boolean =>
  one === area.name || `${area.name}/${state.name}`.startsWith(one);
const wanted = readArguments({ usage: USAGE, takesWords: true }, ({ words }) => {
  const unknown = words.filter(
    (one) =>
      one !== README && !CATALOGUE.some((area) => area.states.some((state) => isMeant(one, area, state))),
  );
  if (unknown.length > 0) throw new NotUnderstood(`There is no ${unknown.join(', ')}.`);
  return words;
});
const isWanted = (area: Area, state: State): boolean =>
  wanted.length === 0 || wanted.some((one) => isMeant(one, area, state));

function fileOf(area: Area, state: State, { width, scheme }: Shape): string {
  return `${area.name}/${state.name}-${width}-${scheme}.png`;
}

async function takePictures(world: World, area: Area, state: State): Promise<void> {
  await mkdir(join(FOLDER, area.name), { recursive: true });
  await visitState(world, state, async (page) => {
    for (const shape of shapesOf(state)) {
      await takeShape(page, shape);
      // A dialog is placed in the window, not on the page.
      const isCovered = await page.getByRole('dialog').isVisible();
      await page.screenshot({
        path: join(FOLDER, fileOf(area, state, shape)),
        fullPage: !isCovered && state.endless !== true,
        animations: 'disabled',
        caret: 'hide',
      });
    }
  });
}

async function takeAll(): Promise<void> {
  if (wanted.length === 0) await rm(FOLDER, { recursive: true, force: true });
  const startedAt = performance.now();
  await buildWeb();
  const world = await World.start();
  const failed: string[] = [];
  let taken = 0;
  try {
    for (const area of CATALOGUE) {
      for (const state of area.states.filter((one) => isWanted(area, one))) {
        const name = `${area.name}/${state.name}`;
        try {
          await takePictures(world, area, state);
          taken += shapesOf(state).length;
        } catch (error) {
          failed.push(name);
          process.stderr.write(`${name}: ${String(error)}\n`);
        }
      }
    }
  } finally {
    await closeBrowser();
    await world.stop();
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  process.stdout.write(`${taken} pictures in ${seconds} s: ${FOLDER}\n`);
  if (failed.length > 0) process.stdout.write(`Not reached: ${failed.join(', ')}\n`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

if (wanted.length === 1 && wanted[0] === README) await takeReadmePictures();
else await takeAll();
