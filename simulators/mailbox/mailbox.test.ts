import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { Mails, SOURCE_BYTES } from './mails.ts';
import { sendTo, useMailbox } from './post.fixture.ts';
import { startMailbox } from './server.ts';

interface State {
  messages: number;
  openSessions: number;
  faults: { kind: string }[];
}

const box = useMailbox();
const state = (): Promise<State> => box.control.ask<State>('GET', '/state');

describe('a message', () => {
  test('arrives with its envelope, headers and bodies', async () => {
    await box.send({
      from: 'Käthe <robot@example.test>',
      to: 'Ann <ann@example.test>',
      bcc: 'bo@example.test',
      subject: 'Pausiert: Überblick 🛑',
      text: 'Grüße\nfrom here',
      html: '<p>Grüße</p>',
      messageId: '<one@example.test>',
    });
    const [mail, ...others] = await box.messages();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      n: 1,
      from: 'robot@example.test',
      author: 'Käthe <robot@example.test>',
      to: ['ann@example.test', 'bo@example.test'],
      subject: 'Pausiert: Überblick 🛑',
      messageId: '<one@example.test>',
      text: 'Grüße\nfrom here\n',
      html: '<p>Grüße</p>\n',
      user: null,
    });
    expect(mail?.headers).toMatchObject({ 'message-id': '<one@example.test>', to: 'Ann <ann@example.test>' });
    expect(mail?.headers).not.toHaveProperty('bcc');
    expect(new Date(mail?.at ?? '').toISOString()).toBe(mail?.at);
  });

  test('has null for a missing text, HTML or name', async () => {
    const envelope = { from: '', to: ['ann@example.test'] };
    await box.send({
      raw: 'X-Twice: a\r\nX-Twice: b\r\nContent-Type: text/html\r\n\r\n<b>x</b>\r\n',
      envelope,
    });
    await box.send({ raw: 'Subject: bare\r\n\r\nhello\r\n', envelope });
    const [first, second] = await box.messages();
    expect(first).toMatchObject({ from: '', author: '', subject: '', messageId: null, text: null });
    expect(first?.headers['x-twice']).toBe('a\nb');
    expect(second).toMatchObject({ subject: 'bare', text: 'hello\n', html: null });
  });

  test('is kept with its login, never with the password', async () => {
    await sendTo(box.smtpUrl('robot:pass-word-42@'));
    await sendTo(box.smtpUrl('robot:another@'), {});
    expect((await box.messages()).map(({ user }) => user)).toEqual(['robot', 'robot']);
    for (const path of ['', '/messages', '/state', '/requests', '/mail/1/headers', '/mail/1/source']) {
      const text = await (await fetch(`${box.control.url}/_sim${path}`)).text();
      expect(text).not.toContain('pass-word-42');
      expect(text).not.toContain(Buffer.from('\0robot\0pass-word-42').toString('base64'));
    }
  });

  test('that cannot be parsed is rejected permanently', async () => {
    const nest = Array.from(
      { length: 300 },
      (_, i) => `--${i - 1}\r\nContent-Type: multipart/mixed; boundary=${i}\r\n\r\n`,
    );
    const sent = box.send({ raw: nest.join(''), envelope: { from: '', to: ['ann@example.test'] } });
    await expect(sent).rejects.toMatchObject({ responseCode: 554 });
    expect(await box.messages()).toEqual([]);
  });

  test('whose client disconnected before the end is not kept', async () => {
    const client = connect(Number(new URL(box.smtpUrl()).port), '127.0.0.1');
    const answers: string[] = [];
    client.on('data', (text: Buffer) => answers.push(text.toString()));
    await once(client, 'data');
    for (const line of ['HELO me', 'MAIL FROM:<a@example.test>', 'RCPT TO:<b@example.test>', 'DATA']) {
      client.write(`${line}\r\n`);
      await once(client, 'data');
    }
    expect(answers.at(-1)).toMatch(/^354/);
    client.write('Subject: half\r\n\r\nhal');
    client.end();
    await waitFor('the session to end', async () => (await state()).openSessions === 0);
    expect(await box.messages()).toEqual([]);
  });
});

describe('the mailbox', () => {
  test('keeps the newest 1000 messages', async () => {
    const mails = new Mails();
    const source = Buffer.from('Subject: x\r\n\r\nx');
    const delivery = { from: '', to: [], user: null, size: source.length, source };
    for (let i = 0; i < 1001; i += 1) await mails.add(delivery);
    expect([mails.all().length, mails.all()[0]?.n, mails.all().at(-1)?.n]).toEqual([1000, 2, 1001]);
    expect(mails.find(1)).toBeUndefined();
  });

  test('keeps the first megabyte of a source', async () => {
    await box.send({ text: 'x'.repeat(70).concat('\n').repeat(20_000) });
    const [mail] = await box.messages();
    expect(mail?.size).toBeGreaterThan(SOURCE_BYTES * 1.3);
    expect(mail?.text?.length).toBeGreaterThan(SOURCE_BYTES * 0.9);
    expect(mail?.text?.length).toBeLessThan(SOURCE_BYTES);
    const page = await (await fetch(`${box.control.url}/_sim/mail/1/source`)).text();
    expect(page).toContain(`Only the first ${SOURCE_BYTES} of ${mail?.size ?? 0} bytes were kept.`);
    const source = /<pre class="mail">([^<]*)<\/pre>/.exec(page)?.[1] ?? '';
    expect(source.replaceAll(/&\w+;/g, '&')).toHaveLength(SOURCE_BYTES);
  });
});

describe('the control API', () => {
  test('deletes the messages and continues the numbering', async () => {
    await box.send();
    await box.control.ask('DELETE', '/messages');
    expect(await box.messages()).toEqual([]);
    await box.send();
    expect((await box.messages()).map(({ n }) => n)).toEqual([2]);
  });

  test('resets everything', async () => {
    await box.send();
    await box.control.fault({ kind: 'refuse', times: 0 });
    await waitFor('no session', async () => (await state()).openSessions === 0);
    await box.control.post('/reset');
    expect(await state()).toEqual({ messages: 0, openSessions: 0, faults: [] });
    await box.send();
    expect((await box.messages()).map(({ n }) => n)).toEqual([1]);
  });
});

test('a mailbox whose HTTP port is taken also closes its SMTP port', async () => {
  const first = await startMailbox();
  const smtpPort = Number(new URL(first.smtpUrl).port);
  await first.close();
  const taken = Number(new URL(box.control.url).port);
  await expect(startMailbox({ port: taken, smtpPort })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  const second = await startMailbox({ smtpPort });
  expect(second.smtpUrl).toBe(first.smtpUrl);
  await second.close();
});
