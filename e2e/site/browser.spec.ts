import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PHONE, closeBrowser, withPage } from '../../scripts/browser/browser.ts';

const PAGE = `<!doctype html><title>Harness</title><style>@media (prefers-color-scheme: dark) { p { color: rgb(1, 2, 3) } }</style>
<p>ready</p><button onclick="document.querySelector('p').textContent = 'clicked'">Click me</button>`;

let server: Server;
let baseURL: string;

beforeAll(async () => {
  server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await closeBrowser();
  server.close();
});

test('a page of this machine is rendered and can be clicked', async () => {
  await withPage(
    async (page) => {
      await page.goto('/');
      await page.getByRole('button', { name: 'Click me' }).click();
      expect(await page.getByText('clicked').isVisible()).toBe(true);
      const picture = await page.screenshot();
      expect(picture.subarray(1, 4).toString()).toBe('PNG');
    },
    { baseURL },
  );
});

test('text has a width, so the browser found a font', async () => {
  await withPage(
    async (page) => {
      await page.goto('/');
      const width = await page.evaluate(`
        const canvas = document.createElement('canvas').getContext('2d');
        canvas.font = '20px sans-serif';
        canvas.measureText('SmartPause').width;
      `);
      expect(width).toBeGreaterThan(50);
    },
    { baseURL },
  );
});

test('a page can be a phone in the dark', async () => {
  await withPage(
    async (page) => {
      await page.goto('/');
      expect(await page.evaluate('innerWidth')).toBe(PHONE.width);
      expect(await page.evaluate("getComputedStyle(document.querySelector('p')).color")).toBe('rgb(1, 2, 3)');
    },
    { baseURL, viewport: PHONE, colorScheme: 'dark' },
  );
});

test('an error that the page did not catch is not overlooked', async () => {
  const broken = withPage(
    async (page) => {
      await page.goto('/');
      await page.evaluate("setTimeout(() => { throw new Error('unseen') })");
      await page.waitForTimeout(200);
    },
    { baseURL },
  );
  await expect(broken).rejects.toThrow('unseen');
});

test('an error in the console is not overlooked', async () => {
  const broken = withPage(
    async (page) => {
      await page.goto('/');
      await page.evaluate("console.error('unread')");
      await page.waitForTimeout(200);
    },
    { baseURL },
  );
  await expect(broken).rejects.toThrow('unread');
});
