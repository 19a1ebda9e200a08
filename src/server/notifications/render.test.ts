import { describe, expect, test } from 'vitest';
import { deauthorizedMail, deletedMail, tokenExpiredMail, tokenStaleMail, welcomeMail } from './account.ts';
import { disabledMail, endWords, pausedMail, resumedMail } from './acts.ts';
import { paymentFailedMail, subscriptionEndedMail, trialEndingMail } from './billing.ts';
import type { Mail } from './blocks.ts';
import { LIST_MAX } from './blocks.ts';
import { escapeHtml, render } from './render.ts';
import { accountLostMail, unknownMail } from './still-paused.ts';

const publicUrl = 'https://smartpause.example';
const at = Date.parse('2026-01-09T02:10:00Z');
const later = Date.parse('2026-01-09T04:08:00Z');
const campaign = { name: 'Spring & <Sale>', account: 'Chen "Outdoor"', at };
const alone = { ...campaign, name: 'Autumn', reason: 'already_active', unsettled: null } as const;
const outage = { from: at, to: later, peak: 'HIGH_DISRUPTION', level: 'UP' } as const;
const resumed = {
  publicUrl,
  resumed: [campaign],
  leftAlone: [alone],
  outage,
  threshold: 'MEDIUM',
  unfinished: 0,
  isLeaving: false,
} as const;
const paused = {
  publicUrl,
  campaigns: [campaign],
  held: 1,
  unreachable: 0,
  checked: 0,
  level: 'HIGH_DISRUPTION',
  levelSince: at,
  threshold: 'MEDIUM',
  resume: { mode: 'next_day' },
  unfinished: 2,
  isOverridden: false,
  isLeaving: false,
  dueAt: null,
  now: at,
} as const;
const farewell = { publicUrl, at: later, byMeta: true, resumed: [campaign], stranded: [campaign] };

const bill = { publicUrl, planType: 'yearly', end: later, watched: 3 } as const;

const MAILS: Record<string, Mail> = {
  paused: pausedMail(paused),
  'paused by an override, over since': pausedMail({ ...paused, isOverridden: true, dueAt: later }),
  'account lost': accountLostMail({ publicUrl, held: [campaign] }),
  resumed: resumedMail(resumed),
  'only left alone': resumedMail({ ...resumed, resumed: [], outage: null }),
  disabled: disabledMail({ publicUrl, campaigns: [alone], off: 1 }),
  'disabled, on again': disabledMail({ publicUrl, campaigns: [{ ...alone, then: 'on again' }], off: 0 }),
  unknown: unknownMail({ publicUrl, since: at, held: [campaign], unreachable: 0 }),
  'unknown, refused': unknownMail({ publicUrl, since: at, held: [campaign], unreachable: 1 }),
  'unknown, one refused': unknownMail({ publicUrl, since: at, held: [campaign, alone], unreachable: 1 }),
  'token stale': tokenStaleMail({ publicUrl, expiresAt: later, held: [] }),
  'token expired': tokenExpiredMail({ publicUrl, expiresAt: later, held: [campaign] }),
  'token refused': tokenExpiredMail({ publicUrl, expiresAt: null, held: [] }),
  welcome: welcomeMail({ publicUrl, name: 'Maya', threshold: 'LOW', resume: { mode: 'instant' } }),
  'trial ending': trialEndingMail(bill),
  'payment failed': paymentFailedMail({ ...bill, isSuspended: false }),
  suspended: paymentFailedMail({ ...bill, watched: 0, isSuspended: true }),
  'subscription ended': subscriptionEndedMail({ ...bill, watched: 1 }),
  deauthorized: deauthorizedMail({ ...farewell, subscribed: 'renews' }),
  deleted: deletedMail({ ...farewell, subscribed: 'was', confirmationCode: 'ABC123' }),
};

/** What a person reads of the HTML. */
function readable(html: string): string {
  return html
    .replace(/<style>.*?<\/style>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');
}

/** Without what only one of the forms needs: bullets, brackets, colons. */
function wordsOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

describe.each(Object.entries(MAILS))('[ENG-13] the mail %s', (_name, mail) => {
  const { subject, text, html } = render(mail, publicUrl);

  test('says the same in both forms', () => {
    const shown = wordsOf(readable(html));
    for (const line of text.split('\n')) {
      const [address] = /https:\S+/.exec(line) ?? [];
      expect(shown).toContain(wordsOf(line.replace(address ?? '', '')));
      if (address !== undefined) expect(html).toContain(`href="${address}"`);
    }
  });

  test('has a subject of one line, nothing undefined, and every time with its zone', () => {
    expect(subject).not.toMatch(/[\r\n]/);
    expect(subject.length).toBeLessThan(120);
    expect(text + html).not.toMatch(/undefined|null|NaN|\[object/);
    for (const [, zone] of text.matchAll(/\d:\d\d [AP]M(.{4})/g)) expect(zone).toBe(' EST');
  });

  test('shows names as they are, never as markup', () => {
    expect(html).not.toContain('<Sale>');
    expect(html).not.toMatch(/<script|javascript:/i);
  });
});

test('the pause says what, why and what comes next', () => {
  const { text } = render(MAILS['paused'] as Mail, publicUrl);
  expect(text).toContain(
    '⬣ High disruption: Meta reports high disruptions of its ad services since Jan 8, 2026, 9:10 PM EST. Your threshold is medium.',
  );
  expect(text).toContain(
    'Paused in Chen "Outdoor" (1 campaign):\n- Spring & <Sale>: Jan 8, 2026, 9:10 PM EST',
  );
  expect(text).toContain('2 more campaigns are not paused yet');
  expect(text).toContain('resumes exactly these campaigns at the next 12:01 AM EST');
});

const three = ['One', 'Two', 'Three'].map((name) => ({ ...campaign, name }));

test.each([
  ['all held, matched', { held: 3 }, 'SmartPause resumes exactly these campaigns at the next 12:01 AM EST,'],
  [
    'one has ended, matched',
    { held: 2 },
    'SmartPause resumes the 2 campaigns still paused at the next 12:01 AM EST,',
  ],
  ['scheduled', { held: 3, dueAt: later }, 'resumes exactly these campaigns on Jan 8, 2026, 11:08 PM EST,'],
  ['due', { held: 1, dueAt: at }, 'resumes the 1 campaign still paused now,'],
  ['leaving', { held: 3, dueAt: at, isLeaving: true }, 'resumes exactly these campaigns now,'],
  ['none is held', { held: 0 }, 'nothing is left to resume.'],
  [
    'Meta refuses the access to one',
    { held: 2, unreachable: 1 },
    'SmartPause resumes 2 of these campaigns at the next 12:01 AM EST,',
  ],
  [
    'Meta refuses the access to all',
    { held: 0, unreachable: 3 },
    'Meta refuses SmartPause the access to 3 paused campaigns: log in to SmartPause again, or resume them in Ads Manager.',
  ],
  [
    'one was found running',
    { held: 0, checked: 1 },
    'SmartPause found 1 campaign running and is checking it.',
  ],
])('[ENG-13] a pause promises what is true when it is rendered: %s', (_title, facts, promise) => {
  const { text, html } = render(pausedMail({ ...paused, campaigns: three, ...facts }), publicUrl);
  expect(text).toContain(promise);
  expect(/resumes? automatically/.test(html)).toBe(facts.held > 0);
  expect(text.includes('SmartPause resumes')).toBe(facts.held > 0);
});

test.each([
  [{ reason: null, at: later }, 'resumed Jan 8, 2026, 11:08 PM EST'],
  [{ reason: 'resumed_outside', at: later }, 'it was resumed outside SmartPause'],
  [null, 'SmartPause does not resume it any more'],
] as const)('[ENG-13] a pause lists a campaign with how its hold has ended: %j', (end, words) => {
  const ended = { ...campaign, name: 'Ended', then: endWords(end) };
  const { text } = render(pausedMail({ ...paused, campaigns: [campaign, ended], held: 1 }), publicUrl);
  expect(text).toContain(`- Ended: Jan 8, 2026, 9:10 PM EST; ${words}`);
});

test('[ENG-13] a campaign for which SmartPause is on again is not said to be left alone', () => {
  const on = { ...alone, name: 'On', then: 'SmartPause is on again since' };
  const { text, subject } = render(disabledMail({ publicUrl, campaigns: [on], off: 0 }), publicUrl);
  expect(text).toContain('; SmartPause is on again since');
  expect(text).not.toMatch(/from now on|turn it on once more/);
  expect(subject).toBe('SmartPause was disabled for 1 campaign: changed outside');
  expect(text).toContain('SmartPause was disabled for 1 campaign');
  expect(text).not.toContain('SmartPause is disabled');
  const both = render(disabledMail({ publicUrl, campaigns: [on, alone], off: 1 }), publicUrl);
  expect(both.text).toContain('SmartPause leaves the 1 campaign still off alone from now on');
});

test('[ENG-13] after an hour of UNKNOWN the email says since when, what stays paused and how to get it back', () => {
  const { text } = render(MAILS['unknown'] as Mail, publicUrl);
  expect(text).toContain('could not be read or understood since Jan 8, 2026, 9:10 PM EST');
  expect(text).toContain('Still paused in Chen "Outdoor" (1 campaign)');
  expect(text).toContain('turn SmartPause off for it. It then stays paused until you press Manual Resume');
});

test('[ENG-13] after an hour of UNKNOWN a resume is promised only where Meta lets SmartPause in', () => {
  const refused = render(MAILS['unknown, refused'] as Mail, publicUrl).text;
  expect(refused).toContain('Meta refuses SmartPause the access to 1 paused campaign');
  expect(refused).not.toMatch(/SmartPause resumes|Manual Resume/);
  const one = render(MAILS['unknown, one refused'] as Mail, publicUrl).text;
  expect(one).toContain('SmartPause resumes 1 of them');
  expect(one).toContain('Meta refuses SmartPause the access to 1 paused campaign');
});

test('the resume says how long it lasted and what was left alone and why', () => {
  const { text, subject } = render(MAILS['resumed'] as Mail, publicUrl);
  expect(subject).toBe('SmartPause resumed 1 campaign, left 1 alone');
  expect(text).toContain('Met your threshold: Jan 8, 2026, 9:10 PM EST to Jan 8, 2026, 11:08 PM EST');
  expect(text).toContain('Lasted: 1 h 58 min');
  expect(text).toContain('- Autumn: Chen "Outdoor", Jan 8, 2026, 9:10 PM EST: it was already running again');
});

test('a long list is cut, and says by how much', () => {
  const campaigns = Array.from({ length: LIST_MAX + 7 }, (_one, index) => ({
    ...campaign,
    name: `Number ${index}`,
  }));
  const { text, html } = render(pausedMail({ ...paused, campaigns }), publicUrl);
  for (const words of [text, html]) {
    expect(words).toContain(`Number ${LIST_MAX - 1}`);
    expect(words).not.toContain(`Number ${LIST_MAX}`);
    expect(words).toContain('and 7 more');
  }
});

test('a name cannot add a line to the head of a mail', () => {
  const mail: Mail = { subject: 'Hello\r\nBcc: somebody@example.com', preview: '', title: '', blocks: [] };
  expect(render(mail, publicUrl).subject).toBe('Hello Bcc: somebody@example.com');
  expect(escapeHtml('<a href="x">&</a>')).toBe('&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt;');
});

test('a name with line breaks writes no lines of its own', () => {
  const name = 'Summer\n\nYour account was locked. Log in: http://evil.example';
  const named = { ...campaign, name, account: name };
  const { text, subject } = render(pausedMail({ ...paused, campaigns: [named] }), publicUrl);
  expect(text).not.toMatch(/^Your account was locked/m);
  expect(subject).not.toContain('\n');
  expect(
    render(welcomeMail({ publicUrl, name, threshold: 'LOW', resume: { mode: 'instant' } }), publicUrl).text,
  ).not.toMatch(/^Your account was locked/m);
});
