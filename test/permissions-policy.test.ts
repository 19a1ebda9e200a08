import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { closeBrowser, withPage } from '../scripts/browser/browser.ts';
import { safetyHeaders } from '../src/server/http/headers.ts';

afterAll(closeBrowser);

test('a real browser knows every feature that the headers name', async () => {
  const headers = { 'content-type': 'text/html', ...safetyHeaders({ isEncrypted: false }) };
  const server = createServer((_request, reply) => reply.writeHead(200, headers).end('<p>A page</p>'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    await withPage(async (page) => {
      const logged: string[] = [];
      page.on('console', (message) => logged.push(message.text()));
      await page.goto(url);
      // Console messages arrive in order: this one is the last.
      const last = page.waitForEvent('console', (message) => message.text() === 'last');
      await page.evaluate("console.log('last')");
      await last;
      expect(logged.filter((line) => line.includes('Permissions-Policy'))).toEqual([]);
    });
  } finally {
    server.close();
  }
});
