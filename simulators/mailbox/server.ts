import { Faults } from '../kit/faults.ts';
import type { SimServer } from '../kit/http.ts';
import { html, redirect } from '../kit/http.ts';
import { controlPage } from '../kit/page.ts';
import { ask, startSimulator } from '../kit/simulator.ts';
import { Mails } from './mails.ts';
import { inbox, mailPage } from './pages.ts';
import { LOOPBACK, MAILBOX_FAULTS, listenSmtp } from './smtp.ts';

interface MailboxServer extends SimServer {
  smtpUrl: string;
  mails: Mails;
}

/** A mailbox for every address: receives over SMTP, with an HTML page and a control API. */
export async function startMailbox({ port = 0, smtpPort = 0 } = {}): Promise<MailboxServer> {
  const faults = new Faults(MAILBOX_FAULTS);
  const mails = new Mails();
  const smtp = await listenSmtp(smtpPort, { faults, mails });
  const server = await startSimulator({ port, host: LOOPBACK }, faults, {
    outside: ({ path }) => {
      const [, n] = /^\/mail\/(\d+)$/.exec(path) ?? [];
      if (n !== undefined) return Promise.resolve(mailPage(mails.all.find((mail) => mail.n === Number(n))));
      return Promise.resolve(path === '/' ? redirect('/_sim') : html(404, 'The emails are at /_sim'));
    },
    control: [
      ask('GET', '/messages', () => ({ messages: mails.all })),
      ask('DELETE', '/messages', () => mails.clear()),
    ],
    page: () => controlPage(faults, inbox(mails.all)),
    reset: () => mails.clear(),
  });
  const close = async (): Promise<void> => {
    await Promise.all([server.close(), smtp.close()]);
  };
  return { ...server, smtpUrl: smtp.url, mails, close };
}
