import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { useMailbox } from './post.fixture.ts';

const box = useMailbox();

async function page(path = ''): Promise<string> {
  const answer = await fetch(`${box.control.url}/_sim${path}`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  return answer.text();
}

/** Decodes the attribute as a browser does. */
function srcdocOf(text: string): string {
  const quoted = /<iframe[^>]* srcdoc="([^"]*)"/.exec(text)?.[1] ?? '';
  return quoted
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

describe('the inbox', () => {
  test('counts the messages and lists the newest first', async () => {
    expect(await page()).toContain('Inbox: 0 emails');
    await box.send({ subject: 'Pausiert: Überblick' });
    expect(await page()).toContain('Inbox: 1 email<');
    await box.send({ subject: 'The second', to: ['ann@example.test', 'bo@example.test'] });
    const text = await page();
    expect(text).toContain('Inbox: 2 emails');
    expect(
      [...text.matchAll(/<a href="(\/_sim\/mail\/\d+)">([^<]*)/g)].map(([, href, title]) => [href, title]),
    ).toEqual([
      ['/_sim/mail/2', 'The second'],
      ['/_sim/mail/1', 'Pausiert: Überblick'],
    ]);
    expect(text).toContain('SmartPause &lt;robot@example.test&gt; to ann@example.test, bo@example.test');
  });

  test('shows the target of a fault', async () => {
    const id = await box.control.fault({ kind: 'stall', stage: 'rcpt', path: '^<b>', times: 0 });
    expect(await page()).toContain('stall rcpt ^&lt;b&gt;: 0 of any, 0 parked');
    await box.control.ask('DELETE', `/faults/${id}`);
    const stall = await box.control.fault({ kind: 'stall' });
    const sent = box.send();
    await waitFor('the session to be parked', async () => (await box.control.parked(stall)) === 1);
    expect(await page()).toContain(`data-post="/_sim/faults/${stall}/release"`);
    await box.control.ask('DELETE', `/faults/${stall}`);
    await sent;
  });

  test('is where the root redirects to', async () => {
    const answer = await fetch(`${box.control.url}/`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/_sim']);
  });
});

describe('a message', () => {
  test('is shown as HTML, as text, with headers and with its source', async () => {
    await box.send({ subject: 'Überblick', text: 'in words', html: '<p class="x">in "HTML"</p>' });
    const written = await page('/mail/1');
    expect(await page('/mail/1/html')).toBe(written);
    expect(written).toContain('<h1 class="subject">Überblick</h1>');
    expect(srcdocOf(written)).toContain('<p class="x">in "HTML"</p>');
    expect(written).toContain('<a href="/_sim/mail/1/html" aria-current="page">As written</a>');
    const text = await page('/mail/1/text');
    expect(text).toContain('<pre class="mail">in words\n</pre>');
    expect(text).toContain('<a href="/_sim/mail/1/text" aria-current="page">Plain text</a>');
    expect(text).not.toContain('<iframe');
    expect(await page('/mail/1/headers')).toContain('<dt>mime-version</dt><dd>1.0</dd>');
    expect(await page('/mail/1/source')).toContain('Subject: =?UTF-8?');
  });

  test('without HTML is shown as text', async () => {
    await box.send({ subject: '', text: 'in words' });
    const text = await page('/mail/1');
    expect(text).toContain('<pre class="mail">in words\n</pre>');
    expect(text).toContain('(no subject)');
    expect(text).not.toContain('As written');
  });

  test('with hostile HTML is sandboxed', async () => {
    const attack = `"'></iframe></pre></h1><script>alert(1)</script><img src=x onerror=alert(1)>`;
    await box.send({
      from: { name: attack, address: 'robot@example.test' },
      subject: attack,
      text: attack,
      html: `${attack}<a href="javascript:alert(1)">x</a>`,
      messageId: `<${attack}@example.test>`,
    });
    for (const path of ['', '/mail/1', '/mail/1/text', '/mail/1/headers', '/mail/1/source']) {
      const text = await page(path);
      expect(text).not.toContain('<script>alert');
      expect(text).not.toContain('<img');
      expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    }
    const written = await page('/mail/1');
    expect(srcdocOf(written)).toContain(attack);
    expect(/<iframe[^>]* sandbox="([^"]*)"/.exec(written)?.[1]).toBe(
      'allow-popups allow-popups-to-escape-sandbox',
    );
    expect(srcdocOf(written)).toMatch(
      /^<meta http-equiv="Content-Security-Policy" content="default-src 'none';/,
    );
  });

  test.each(['/mail/1', '/mail/99999999999999999999', '/mail/1/html'])(
    'that does not exist is reported as gone: %s',
    async (path) => {
      const answer = await fetch(`${box.control.url}/_sim${path}`);
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain('Email not found');
    },
  );

  test('has no further views', async () => {
    await box.send();
    for (const path of ['/mail/1/html', '/mail/1/nothing', '/mail/x'])
      expect([path, (await fetch(`${box.control.url}/_sim${path}`)).status]).toEqual([path, 404]);
  });
});
