import { Faults } from '../kit/faults.ts';
import type { SimServer } from '../kit/http.ts';
import { html, redirect } from '../kit/http.ts';
import { RequestLog } from '../kit/request-log.ts';
import type { ControlRoute } from '../kit/simulator.ts';
import { ask, order, startSimulator } from '../kit/simulator.ts';
import { Mails } from './mails.ts';
import { gonePage, inboxPage, mailPage } from './pages.ts';
import { LOOPBACK, listenSmtp } from './smtp.ts';
import { MAILBOX_FAULTS, mailboxFault } from './strike.ts';

export interface MailboxOptions {
  port?: number;
  smtpPort?: number;
}

export interface MailboxServer extends SimServer {
  smtpUrl: string;
}

/** A mailbox for every address: receives over SMTP, with an HTML page and a control API. */
export async function startMailbox({ port = 0, smtpPort = 0 }: MailboxOptions = {}): Promise<MailboxServer> {
  const parts = { faults: new Faults(MAILBOX_FAULTS), log: new RequestLog() };
  const mails = new Mails();
  const smtp = await listenSmtp(smtpPort, { faults: parts.faults, mails });
  const state = (): object => ({
    messages: mails.all().length,
    openSessions: smtp.openSessions(),
    faults: parts.faults.list(),
  });
  try {
    const server = await startSimulator({ port, host: LOOPBACK }, parts, {
      outside: ({ path }) =>
        Promise.resolve(path === '/' ? redirect('/_sim') : html(404, 'The mails are at /_sim')),
      control: [...controls(mails, parts.faults), ask('GET', '/state', state)],
      page: () => inboxPage(mails.all(), parts.faults, smtp.url),
      pages: (path) => mailAnswer(mails, path),
      reset: () => mails.reset(),
    });
    const close = async (): Promise<void> => {
      await Promise.all([server.close(), smtp.close()]);
    };
    return { url: server.url, smtpUrl: smtp.url, close };
  } catch (error) {
    await smtp.close();
    throw error;
  }
}

function controls(mails: Mails, faults: Faults): ControlRoute[] {
  return [
    ask('GET', '/messages', () => ({ messages: mails.all() })),
    ask('DELETE', '/messages', () => mails.clear()),
    order('/faults', mailboxFault, (body) => faults.add(body)),
  ];
}

function mailAnswer(mails: Mails, path: string) {
  const named = /^\/mail\/(\d+)(?:\/(\w+))?$/.exec(path);
  if (named === null) return null;
  const found = mails.find(Number(named[1]));
  const page = found && mailPage(found, named[2]);
  return page === undefined ? html(404, gonePage()) : html(200, page);
}
