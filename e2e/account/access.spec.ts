import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { PHONE, withPage } from '../../scripts/browser/browser.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { tabTo } from '../support/keyboard.ts';
import { Person } from '../../scripts/browser/person.ts';

describe('on a phone, and with the keyboard alone', () => {
  const product = productOfThisSuite();

  test('[HEAD-02] everything that matters can be done with the keyboard', async () => {
    const { name, account } = await newAdvertiser(product.graph, { Shoes: 'ACTIVE', Hats: 'ACTIVE' });
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.opens('/');
      await tabTo(page, 'Log In');
      await page.keyboard.press('Enter');
      const me = page.getByRole('button', { name: `Continue as ${name}` });
      await me.focus();
      await page.keyboard.press('Enter');
      await nora.sees(`Welcome, ${name}`);

      await tabTo(page, 'About');
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Privacy Policy' }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(page.url()).toMatch(/privacy-policy|terms-of-service/);

      await nora.completesSetup({ resume: 'instant' });
      await nora.opens('/');
      await nora.seesCampaign('Shoes', 'ACTIVE');
      await tabTo(page, 'SmartPause for Shoes');
      await page.keyboard.press('Space');
      await waitFor('the switch to be on', () => nora.switchOf('Shoes').isChecked());
      await waitFor('the button to follow', () => nora.button('Manual Pause Shoes').isDisabled());
      await page.reload();
      await nora.seesCampaign('Hats', 'ACTIVE');
      await tabTo(page, 'Manual Pause Hats');
      await page.keyboard.press('Enter');
      await nora.seesCampaign('Hats', 'PAUSED');
      expect(await account.statusOf('Hats')).toBe('PAUSED');
    });
  });

  test('[HEAD-08, HEAD-03] on a phone nothing scrolls sideways, and the menu has what the header has', async () => {
    const { name } = await newAdvertiser(product.graph, {
      'A campaign with a name that goes on and on | Lookalike 1% | Retargeting 30d': 'ACTIVE',
      [`Without_any_space_${'x'.repeat(60)}`]: 'PAUSED',
    });
    await withPage(
      async (page) => {
        const nora = new Person(page, product);
        const fits = async (what: string): Promise<void> => {
          const width = await page.evaluate('document.documentElement.scrollWidth');
          expect(width, what).toBeLessThanOrEqual(PHONE.width);
        };
        await nora.opens('/');
        await fits('landing');
        await nora.presses('Open menu');
        await page.getByRole('dialog').getByRole('link', { name: 'Privacy Policy' }).waitFor();
        expect(await page.getByRole('link', { name: 'Settings' }).count()).toBe(0);
        await page.keyboard.press('Escape');
        await nora.goesToTheDialog();
        await nora.presses(`Continue as ${name}`);
        await nora.sees('Try SmartPause free for 30 days');
        await fits('pricing');
        await nora.subscribes();
        await nora.sees('Account Setup Required');
        await product.status.reports('High disruptions');
        await nora.opens('/settings');
        await nora.seesAfterReloading('Threshold adjustments are disabled during Meta outages');
        await fits('settings');
        await nora.completesSetup({ resume: 'instant' });
        await nora.opens('/');
        await nora.sees('SmartPause Activated - Threshold Matched');
        await nora.seesCampaign('A campaign with', 'ACTIVE');
        await fits('dashboard');
        await nora.presses(/^Open menu, Meta ad services: High disruption$/);
        const menu = page.getByRole('dialog');
        await menu.getByText(`Welcome, ${name}`).waitFor();
        await menu.getByRole('button', { name: 'Log out' }).waitFor();
        await menu.getByRole('link', { name: 'Settings' }).click();
        await page.waitForURL('**/settings');
      },
      { viewport: PHONE },
    );
  });
});
