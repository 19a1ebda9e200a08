import { Faults } from '../kit/faults.ts';
import type { HttpAnswer, SimServer } from '../kit/http.ts';
import { html, redirect } from '../kit/http.ts';
import type { ControlPage } from '../kit/page.ts';
import { controlPage, escapeHtml, framePage } from '../kit/page.ts';
import { ask, startSimulator } from '../kit/simulator.ts';
import type { Mail } from './mails.ts';
import { Mails } from './mails.ts';
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
    control: [ask('GET', '/messages', () => ({ messages: mails.all }))],
    page: () => controlPage(faults, inbox(mails.all)),
    reset: () => mails.clear(),
  });
  const close = async (): Promise<void> => {
    await Promise.all([server.close(), smtp.close()]);
  };
  return { ...server, smtpUrl: smtp.url, mails, close };
}

/** A message runs no scripts and loads no remote content; its links open in a new tab. */
const MAIL_HEAD = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"><base target="_blank">`;

/** The received emails, newest first. */
function inbox(mails: readonly Mail[]): ControlPage {
  return {
    title: 'Mailbox',
    note: 'Every email that SmartPause sends arrives here, for any recipient. Nothing leaves this machine.',
    sections: [
      {
        heading: 'Inbox',
        rows: mails.toReversed().map(({ n, subject, to, at }) => ({
          texts: [subject, `to ${to.join(', ')}`, timeOf(at)],
          address: `/mail/${n}`,
        })),
      },
    ],
    faults: [
      ['Refuse one email for now', { kind: 'refuse' }],
      ['Be down, until removed', { kind: 'refuse_connection', times: 0 }],
    ],
  };
}

/** As on SmartPause's own pages: New York time, labelled EST. */
function timeOf(at: number): string {
  const style = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'America/New_York' } as const;
  return `${new Date(at).toLocaleString('en-US', style)} EST`;
}

/** A message as it was written, and its plain text. The sandbox allows no scripts and no forms. */
function mailPage(mail: Mail | undefined): HttpAnswer {
  const back = '<p><a href="/_sim">Inbox</a></p>';
  if (mail === undefined) return html(404, framePage('Mailbox', `${back}<h1>Email not found</h1>`));
  const { author, to, at, subject } = mail;
  return html(
    200,
    framePage(
      subject,
      `${back}<h1>${escapeHtml(subject)}</h1>
       <p class="note">From ${escapeHtml(author)}<br>To ${escapeHtml(to.join(', '))}<br>${timeOf(at)}</p>
       <iframe title="The email" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${escapeHtml(MAIL_HEAD + (mail.html ?? ''))}"></iframe>
       <h2>Plain text</h2><pre>${escapeHtml(mail.text ?? '')}</pre>`,
    ),
  );
}
