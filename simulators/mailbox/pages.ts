import { escapeHtml, framePage } from '../kit/page.ts';
import type { Mail } from './mails.ts';

/** A message runs no scripts and loads no remote content; its links open in a new tab. */
const MAIL_HEAD = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"><base target="_blank">`;

/** The received emails, newest first. */
export function inbox(mails: readonly Mail[]): string {
  if (mails.length === 0) return '<p>No emails yet.</p>';
  const items = mails.toReversed().map(
    (mail) =>
      `<li><a href="/_sim/mail/${mail.n}">${subjectOf(mail)}</a><br>
         ${escapeHtml(mail.author)} to ${escapeHtml(mail.to.join(', '))}<br>${time(mail)}</li>`,
  );
  return `<ul class="mails">${items.join('')}</ul>`;
}

/** A message as it was written, or its plain text. */
export function mailPage(mail: Mail, isText: boolean): string {
  const { n, html, text } = mail;
  const shown = isText || html === null ? `<pre class="mail">${escapeHtml(text ?? '')}</pre>` : frame(html);
  return framePage(
    'Simulated mailbox',
    `<nav aria-label="Mailbox"><a href="/_sim">Inbox</a></nav><h1 class="subject">${subjectOf(mail)}</h1>
     <p class="note">From ${escapeHtml(mail.author)}<br>To ${escapeHtml(mail.to.join(', '))}<br>${time(mail)}</p>
     <nav aria-label="Shown as"><a href="/_sim/mail/${n}">As written</a><a href="/_sim/mail/${n}/text">Plain text</a></nav>${shown}`,
  );
}

/** The sandbox allows no scripts, no forms and no access to this page. */
function frame(mailHtml: string): string {
  return `<iframe class="mail" title="The email" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${escapeHtml(MAIL_HEAD + mailHtml)}"></iframe>`;
}

export function gonePage(): string {
  return framePage(
    'Simulated mailbox',
    '<nav><a href="/_sim">Inbox</a></nav><h1>Email not found</h1><p>It was deleted or never arrived.</p>',
  );
}

function subjectOf({ subject }: Mail): string {
  return escapeHtml(subject.trim() === '' ? '(no subject)' : subject);
}

function time({ at }: Mail): string {
  return `<time datetime="${at}">${at.slice(0, 19).replace('T', ' ')} UTC</time>`;
}
