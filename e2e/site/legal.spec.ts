import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { withPage } from '../../scripts/browser/browser.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { Person } from '../../scripts/browser/person.ts';

/** As another server sends the document, without what ours puts in. */
async function withoutCompany(page: Page): Promise<void> {
  await page.route('**/terms', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replaceAll(/<meta name="smartpause-(company|contact)[^>]*>/g, '');
    await route.fulfill({ response: answer, body });
  });
}

describe('the legal pages', () => {
  const product = productOfThisSuite();
  const visit = (story: (visitor: Person, page: Page) => Promise<void>) =>
    withPage((page) => story(new Person(page, product), page));

  test('[FMT-03] they name law, arbitration and the mails that cannot be switched off', () =>
    visit(async (visitor, page) => {
      await visitor.opens('/terms-of-service');
      for (const words of [
        /governed by the laws of the State of Illinois/,
        /binding arbitration in Chicago, Illinois/,
        /Emails for SmartPause actions are mandatory/,
      ]) {
        await visitor.sees(words);
      }
      await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click();
      await visitor.sees(/Emails for SmartPause actions are mandatory/);
    }));

  test.each([
    ['/terms', ['Termination', 'Limitations', 'Governing law', 'Arbitration']],
    ['/privacy', ['Who we share it with', 'How long we keep it', 'After a deletion']],
  ])('[ROUTE-10, FMT-03] %s has its date, its sections, the company and a contact', (path, headings) =>
    visit(async (visitor, page) => {
      await visitor.opens(path);
      await visitor.sees('Last changed: November 24, 2026');
      for (const name of headings) await page.getByRole('heading', { level: 2, name }).waitFor();
      const contact = page.getByRole('heading', { name: 'Contact' }).locator('..').getByRole('link');
      expect(await contact.getAttribute('href')).toBe('mailto:smartpause@localhost.localdomain');
    }),
  );

  test('[FMT-03] served by another server, they name the product alone', () =>
    visit(async (visitor, page) => {
      await withoutCompany(page);
      await visitor.opens('/terms');
      await visitor.sees('SmartPause (“we”) operates the SmartPause service.');
      await visitor.sees('Reply to any email that you have received from us.');
    }));

  test('[ROUTE-10] an address with a fragment opens at that section', () =>
    visit(async (visitor, page) => {
      await visitor.opens('/privacy#after-a-deletion');
      const heading = page.getByRole('heading', { name: 'After a deletion' });
      await heading.waitFor();
      expect((await heading.boundingBox())?.y).toBeLessThan(200);
    }));
});
