import { join } from 'node:path';
import { ROOT } from '../scripts/run.ts';
import { CATALOGUE } from './states/catalogue.ts';
import { Visit } from './states/visit.ts';
import { cutTextOn, spaceText, standsStill, violationsOn } from './support/checks.ts';
import { DESKTOP, PHONE, expect, test } from './support/fixtures.ts';

/** One of each kind: pages, banners, dialogs, menus, lists, forms. */
const IN_CI = [
  ...['landing/top', 'public/privacy', 'public/status-outage', 'header/menu-of-administrators@phone'],
  ...[
    'pricing/modal-pay',
    'pricing/own-campaigns',
    'checkout/done-before-setup',
    'dashboard/before-choosing',
    'list/selected',
  ],
  ...['outage/matched', 'outage/resume-scheduled', 'activity/outage', 'setup/email', 'settings/instant'],
  ...['danger-zone/delete-asked-incident', 'admin/page'],
];

/** `STATES=all`: every state in both themes. By default those above. */
const isComplete = process.env['STATES'] === 'all';
const takesPictures = process.env['SCREENSHOTS'] === '1';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

for (const [name, reach] of Object.entries(CATALOGUE).filter(([one]) => isComplete || IN_CI.includes(one)))
  test(`state ${name}`, async ({ page, world }) => {
    const [path = '', only] = name.split('@');
    const screens = [...(only === 'phone' ? [] : [DESKTOP]), ...(only === 'desktop' ? [] : [PHONE])];
    const schemes = isComplete ? (['light', 'dark'] as const) : (['light'] as const);
    await page.setViewportSize(screens[0] ?? DESKTOP);
    await reach(new Visit(page, world));
    for (const screen of screens)
      for (const colorScheme of schemes) {
        await page.setViewportSize(screen);
        await page.emulateMedia({ colorScheme });
        await standsStill(page);
        if (takesPictures) {
          const file = join(ROOT, 'screenshots', `${path}-${screen.width}-${colorScheme}.png`);
          const isCovered = await page.getByRole('dialog').isVisible();
          // A window as high as the page: else bars that stick would cover its middle.
          const height = isCovered
            ? screen.height
            : await page.evaluate<number>('document.documentElement.scrollHeight');
          await page.setViewportSize({ ...screen, height });
          await standsStill(page);
          await page.screenshot({ path: file, fullPage: !isCovered, animations: 'disabled', caret: 'hide' });
        } else expect(await violationsOn(page), `${screen.width} ${colorScheme}`).toEqual([]);
      }
    if (takesPictures) return;
    // The narrowest width of WCAG 1.4.10, 1280 px at 200 %, and spaced text on a normal screen.
    const narrow =
      only === 'desktop'
        ? [DESKTOP]
        : [
            { width: 640, height: 450 },
            { width: 320, height: 640 },
          ];
    for (const screen of narrow) {
      await page.setViewportSize(screen);
      await standsStill(page);
      expect(await cutTextOn(page), `${screen.width}`).toEqual([]);
    }
    await page.setViewportSize(only === 'desktop' ? DESKTOP : PHONE);
    await spaceText(page);
    expect(await cutTextOn(page), 'spaced').toEqual([]);
  });
