import { createTransport } from 'nodemailer';
import { expect, test } from 'vitest';
import { Mailbox } from '../../scripts/outside/mailbox.ts';
import { startMailbox } from './server.ts';

// The faults are proved by the tests of the outbox worker.

test('a message arrives with its envelope, headers and bodies, and a browser shows it in a sandbox', async () => {
  const server = await startMailbox();
  const attack = `"'></iframe></pre><script>alert(1)</script>`;
  const transport = createTransport({ url: server.smtpUrl.replace('//', '//robot:pass-word-42@') });
  await transport.sendMail({
    from: 'SmartPause <robot@example.test>',
    to: 'ann@example.test',
    bcc: 'bo@example.test',
    subject: `Überblick 🛑 ${attack}`,
    text: attack,
    html: attack,
    messageId: '<1@x>',
  });
  transport.close();
  const [mail] = await new Mailbox(server.url).messages();
  expect(mail).toMatchObject({
    from: 'robot@example.test',
    to: ['ann@example.test', 'bo@example.test'],
    subject: `Überblick 🛑 ${attack}`,
    messageId: '<1@x>',
    text: `${attack}\n`,
    html: `${attack}\n`,
  });
  expect(JSON.stringify(mail)).not.toContain('pass-word-42');
  for (const path of ['/_sim', `/mail/${mail?.n ?? ''}`]) {
    const page = await (await fetch(server.url + path)).text();
    expect(page).not.toContain('<script>alert');
    expect(page).toContain('&lt;script&gt;alert(1)');
  }
  await server.close();
});
