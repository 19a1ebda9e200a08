import type { Area, State } from '../state.ts';

const BANNERS = {
  'banner-error': '/?error=AUTH_FAILED',
  'banner-warning': '/?error=TOKEN_EXPIRED',
  'banner-success': '/?error=DEAUTH_SUCCESS',
} as const;

const banners = Object.entries(BANNERS).map(([name, path]): State => ({
  name,
  reach: async ({ opens, page }) => {
    await opens(path);
    await page.getByRole('button', { name: 'Dismiss' }).waitFor();
  },
}));

export const landing: Area = {
  name: 'landing',
  states: [
    { name: 'top', reach: ({ opens }) => opens('/') },
    {
      name: 'questions-open',
      reach: async ({ opens, page }) => {
        await opens('/');
        for (const question of await page.locator('#questions summary').all()) {
          if ((await question.locator('xpath=..').getAttribute('open')) === null) await question.click();
        }
      },
    },
    {
      name: 'about-open',
      only: 'desktop',
      reach: async ({ opens, page }) => {
        await opens('/');
        await page.getByRole('banner').locator('summary').click();
      },
    },
    {
      name: 'menu-open',
      only: 'phone',
      reach: async ({ opens, presses, page }) => {
        await opens('/');
        await presses('Open menu');
        await page.getByRole('dialog').waitFor();
      },
    },
    ...banners,
  ],
};
