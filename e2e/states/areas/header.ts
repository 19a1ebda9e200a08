import type { Area, State } from '../state.ts';

const LEVELS = {
  'status-low': ['LOW_DISRUPTION', 'Low disruption'],
  'status-high': ['HIGH_DISRUPTION', 'High disruption'],
  'status-unknown': ['UNKNOWN', 'Unknown'],
} as const;

/** On a desktop its tooltip, on a phone the text in the menu. */
const levels = Object.entries(LEVELS).flatMap(([name, [level, words]]): State[] => [
  {
    name: `${name}-tooltip`,
    only: 'desktop',
    reach: async ({ opens, page, world }) => {
      await world.meets(level);
      await opens('/terms', await world.advertiser({ plan: null, setup: null }));
      await page.getByRole('button', { name: `Meta ad services: ${words}` }).hover();
      await page.getByRole('tooltip').waitFor();
    },
  },
  {
    name: `${name}-menu`,
    only: 'phone',
    reach: async ({ opens, presses, page, world }) => {
      await world.meets(level);
      await opens('/terms', await world.advertiser({ plan: null, setup: null }));
      await presses(`Open menu, Meta ad services: ${words}`);
      await page.getByRole('dialog').getByText(`Meta ${words}`).waitFor();
    },
  },
]);

export const header: Area = {
  name: 'header',
  states: [
    {
      name: 'about-open',
      only: 'desktop',
      reach: async ({ opens, presses, page, world }) => {
        await opens('/terms', await world.advertiser({ plan: null, setup: null }));
        await presses('About');
        await page.getByRole('menuitem').first().waitFor();
      },
    },
    {
      name: 'menu-of-visitors',
      only: 'phone',
      reach: async ({ opens, presses, page }) => {
        await opens('/terms');
        await presses('Open menu');
        await page.getByRole('dialog').waitFor();
      },
    },
    {
      name: 'menu-of-administrators',
      only: 'phone',
      reach: async ({ opens, presses, page, world }) => {
        await opens('/terms', world.boss);
        await presses(/^Open menu, Meta/);
        await page.getByRole('dialog').getByRole('link', { name: 'Admin' }).waitFor();
      },
    },
    ...levels,
    {
      name: 'long-name',
      reach: async ({ opens, sees, world }) => {
        const name = 'Maximiliane-Henriette von Hohenstaufen-Sigmaringen';
        await opens('/terms', await world.advertiser({ name, plan: null, setup: null }));
        await sees('Terms of Service');
      },
    },
    {
      name: 'skip-link',
      reach: async ({ opens, page }) => {
        await opens('/terms');
        await page.keyboard.press('Tab');
        await page.getByText('Skip to content').waitFor();
      },
    },
  ],
};
