import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import type { Look } from './walk.ts';
import { shapesOf, takeShape } from './walk.ts';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** WCAG 2.2, levels A and AA. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];

interface Finding {
  id: string;
  help: string;
  nodes: { target: string[]; html: string; any: { message: string }[] }[];
}

/** What keeps people from using the page as it is now, one line each. */
export async function violationsOn(page: Page): Promise<string[]> {
  await loadAxe(page);
  const found = await page.evaluate<Finding[]>(
    `axe.run(document, ${JSON.stringify({
      runOnly: { type: 'tag', values: TAGS },
      rules: { 'target-size': { enabled: true } },
      resultTypes: ['violations'],
    })}).then(({ violations }) => violations)`,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, html, any }) => `${id}: ${target.join(' ')}: ${any[0]?.message ?? ''} ${html.slice(0, 160)}`,
    ),
  );
}

/** By the debugger: the page allows no script but its own. Directly, since Playwright's `evaluate` takes twice as long. */
async function loadAxe(page: Page): Promise<void> {
  if (await page.evaluate<boolean>("'axe' in window")) return;
  const debuggerSession = await page.context().newCDPSession(page);
  await debuggerSession.send('Runtime.evaluate', { expression: `${AXE};0` });
  await debuggerSession.detach();
}

/** The dark theme differs in colours only and doubles the time, so `npm test` leaves it to `npm run verify -- states`. */
const SCHEMES = process.env['CATALOGUE_THEMES'] === 'both' ? ['light', 'dark'] : ['light'];

/** On both screens. */
export const violationsOfState: Look<string[]> = async (page, state) => {
  const faults: string[] = [];
  for (const shape of shapesOf(state).filter(({ scheme }) => SCHEMES.includes(scheme))) {
    await takeShape(page, shape);
    const found = await violationsOn(page);
    faults.push(...found.map((fault) => `${shape.width} ${shape.scheme}: ${fault}`));
  }
  return faults;
};
