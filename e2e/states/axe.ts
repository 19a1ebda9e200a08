import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import type { Look } from './walk.ts';
import { shapesOf, takeShape } from './walk.ts';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];

interface Finding {
  id: string;
  help: string;
  nodes: { target: string[]; html: string; any: { message: string }[] }[];
}

/** Accessibility violations of the page as it is now, one line each. */
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
    nodes
      .filter((node) => !(id === 'target-size' && isUnderBar(node)))
      .map(
        ({ target, html, any }) =>
          `${id}: ${target.join(' ')}: ${any[0]?.message ?? ''} ${html.slice(0, 160)}`,
      ),
  );
}

/** A row that scrolls under a bar which stays in view: scrolling shows it whole. */
function isUnderBar({ target, any }: Finding['nodes'][number]): boolean {
  return target.join(' ').includes('[data-campaign') && /obscured/.test(any[0]?.message ?? '');
}

/**
 * Injects by the debugger, since the policy of the page blocks other scripts. Playwright's `evaluate` takes
 * twice as long.
 */
async function loadAxe(page: Page): Promise<void> {
  if (await page.evaluate<boolean>("'axe' in window")) return;
  const debuggerSession = await page.context().newCDPSession(page);
  await debuggerSession.send('Runtime.evaluate', { expression: `${AXE};0` });
  await debuggerSession.detach();
}

/** The dark theme doubles the time, so only `npm run verify -- states` covers it. */
const SCHEMES = process.env['CATALOGUE_THEMES'] === 'both' ? ['light', 'dark'] : ['light'];

export const violationsOfState: Look<string[]> = async (page, state) => {
  const faults: string[] = [];
  for (const shape of shapesOf(state).filter(({ scheme }) => SCHEMES.includes(scheme))) {
    await takeShape(page, shape);
    const found = await violationsOn(page);
    faults.push(...found.map((fault) => `${shape.width} ${shape.scheme}: ${fault}`));
  }
  return faults;
};
