import { Faults } from '../kit/faults.ts';
import type { SimServer } from '../kit/http.ts';
import { html, redirect } from '../kit/http.ts';
import { controlPage } from '../kit/page.ts';
import { RequestLog } from '../kit/request-log.ts';
import { ask, startSimulator } from '../kit/simulator.ts';
import { Mails } from './mails.ts';
import { gonePage, inbox, mailPage } from './pages.ts';
import { LOOPBACK, MAILBOX_FAULTS, listenSmtp } from './smtp.ts';

interface MailboxServer extends SimServer {
  smtpUrl: string;
}

const FAULTS: [label: string, body: object][] = [
  ['Refuse one email for now', { kind: 'refuse' }],
  ['Be down, until removed', { kind: 'refuse_connection', times: 0 }],
];

/** A mailbox for every address: receives over SMTP, with an HTML page and a control API. */
export async function startMailbox({ port = 0, smtpPort = 0 } = {}): Promise<MailboxServer> {
  const parts = { faults: new Faults(MAILBOX_FAULTS), log: new RequestLog() };
  const mails = new Mails();
  const smtp = await listenSmtp(smtpPort, { faults: parts.faults, mails });
  const server = await startSimulator({ port, host: LOOPBACK }, parts, {
    outside: ({ path }) =>
      Promise.resolve(path === '/' ? redirect('/_sim') : html(404, 'The emails are at /_sim')),
    control: [
      ask('GET', '/messages', () => ({ messages: mails.all() })),
      ask('DELETE', '/messages', () => mails.clear()),
    ],
    page: () =>
      controlPage(parts.faults, {
        title: 'Mailbox',
        note: 'Every email that SmartPause sends arrives here, for any recipient. Nothing leaves this machine.',
        sections: [['Inbox', inbox(mails.all())]],
        faults: FAULTS,
      }),
    pages: (path) => mailAnswer(mails, path),
    reset: () => mails.reset(),
  });
  const close = async (): Promise<void> => {
    await Promise.all([server.close(), smtp.close()]);
  };
  return { ...server, smtpUrl: smtp.url, close };
}

function mailAnswer(mails: Mails, path: string) {
  const [, n, text] = /^\/mail\/(\d+)(\/text)?$/.exec(path) ?? [];
  if (n === undefined) return null;
  const found = mails.find(Number(n));
  return found === undefined ? html(404, gonePage()) : html(200, mailPage(found, text !== undefined));
}
