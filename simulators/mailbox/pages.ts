import type { Faults } from '../kit/faults.ts';
import { controlButton, escapeHtml, faultSection, framePage } from '../kit/page.ts';
import type { KeptMail, Mail } from './mails.ts';
import { SOURCE_BYTES } from './mails.ts';

const FAULTS: [label: string, body: object][] = [
  ['Refused for now (451), once', { kind: 'refuse' }],
  ['Refused for good (550), once', { kind: 'refuse', code: 550, message: 'No such mailbox' }],
  ['No answer, until released', { kind: 'stall' }],
  ['Kept, but the connection cut, once', { kind: 'drop_after' }],
  ['Slow by 5 s, 5 times', { kind: 'latency', ms: 5000, times: 5 }],
  ['Down, until removed', { kind: 'refuse_connection', times: 0 }],
];
const VIEWS = { html: 'As written', text: 'Plain text', headers: 'Headers', source: 'Source' };
type View = keyof typeof VIEWS;
/** A message runs no scripts and loads no remote content; its links open in a new tab. */
const MAIL_HEAD = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"><base target="_blank">`;

export function inboxPage(mails: readonly Mail[], faults: Faults, smtpUrl: string): string {
  const count = mails.length === 1 ? '1 email' : `${mails.length} emails`;
  return framePage(
    'Simulated mailbox',
    `<h1>Mailbox, simulated</h1><p class="note">Every email sent to <code>${escapeHtml(smtpUrl)}</code> arrives here,
     for any recipient. Nothing leaves this machine.</p>
     <h2>Inbox: ${count}</h2>${inbox(mails)}
     <button data-delete="/_sim/messages">Delete all emails</button>
     ${faultSection(FAULTS, faults)}
     <h2>Start over</h2>${controlButton('No emails, no faults', '/_sim/reset')}`,
  );
}

function inbox(mails: readonly Mail[]): string {
  if (mails.length === 0) return '<p>No emails yet.</p>';
  const items = mails.toReversed().map(
    (mail) =>
      `<li><a href="/_sim/mail/${mail.n}">${escapeHtml(shownSubject(mail))}</a><br>
         ${escapeHtml(mail.author)} to ${escapeHtml(mail.to.join(', '))}<br>${time(mail)}</li>`,
  );
  return `<ul class="mails">${items.join('')}</ul>`;
}

/** One view of a message, the HTML by default; undefined: unknown view. */
export function mailPage(found: KeptMail, asked?: string): string | undefined {
  const { mail } = found;
  const views = viewsOf(found);
  const [view, shown] = views.find(([name]) => asked === undefined || name === asked) ?? [];
  if (view === undefined || shown === undefined) return undefined;
  const links = views.map(
    ([name]) =>
      `<a href="/_sim/mail/${mail.n}/${name}"${name === view ? ' aria-current="page"' : ''}>${VIEWS[name]}</a>`,
  );
  const isCut = mail.size > SOURCE_BYTES;
  return framePage(
    `${shownSubject(mail)} (simulated mailbox)`,
    `<nav aria-label="Mailbox"><a href="/_sim">Inbox</a></nav>
     <h1 class="subject">${escapeHtml(shownSubject(mail))}</h1>
     <dl class="fields"><dt>From</dt><dd>${escapeHtml(mail.author)}</dd>
     <dt>To</dt><dd>${escapeHtml(mail.to.join(', '))}</dd><dt>Received</dt><dd>${time(mail)}</dd></dl>
     ${isCut ? `<p class="banner">Only the first ${SOURCE_BYTES} of ${mail.size} bytes were kept.</p>` : ''}
     <nav aria-label="Shown as">${links.join('')}</nav>${shown()}`,
  );
}

function viewsOf({ mail, source }: KeptMail): [view: View, show: () => string][] {
  const { html, text } = mail;
  const views: [View, () => string][] = [];
  if (html !== null) views.push(['html', () => frame(html)]);
  if (text !== null) views.push(['text', () => plain(text)]);
  views.push(['headers', () => headerList(mail)], ['source', () => plain(source.toString('utf8'))]);
  return views;
}

/** The sandbox allows no scripts, no forms and no access to this page. */
function frame(mailHtml: string): string {
  return `<iframe class="mail" title="The email" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${escapeHtml(MAIL_HEAD + mailHtml)}"></iframe>`;
}

function plain(text: string): string {
  return `<pre class="mail">${escapeHtml(text)}</pre>`;
}

function headerList({ from, user, headers }: Mail): string {
  const said = [
    ['Envelope sender', from],
    ['Logged in as', user ?? 'no user'],
    ...Object.entries(headers),
  ] as const;
  const rows = said.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`);
  return `<dl class="fields">${rows.join('')}</dl>`;
}

export function gonePage(): string {
  return framePage(
    'Simulated mailbox',
    '<nav><a href="/_sim">Inbox</a></nav><h1>Email not found</h1><p>It was deleted or never arrived.</p>',
  );
}

function shownSubject({ subject }: Mail): string {
  return subject.trim() === '' ? '(no subject)' : subject;
}

function time({ at }: Mail): string {
  return `<time datetime="${at}">${at.slice(0, 19).replace('T', ' ')} UTC</time>`;
}
