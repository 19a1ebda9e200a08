import { describe, expect, test } from 'vitest';
import {
  deauthorizedNotification,
  deletedNotification,
  tokenExpiredNotification,
  tokenStaleNotification,
} from './account.ts';
import { disabledNotification, endCopy, pausedNotification, resumedNotification } from './campaigns.ts';
import type { Notification } from './blocks.ts';
import { LIST_MAX } from './blocks.ts';
import { escapeHtml } from '#core/escape-html.ts';
import { render } from './render.ts';
import { accountBlockedNotification, accountLostNotification, unknownNotification } from './still-paused.ts';

const publicUrl = 'https://smartpause.example';
const at = Date.parse('2026-01-09T02:10:00Z');
const later = Date.parse('2026-01-09T04:08:00Z');
const campaign = { name: 'Spring & <Sale>', account: 'Chen "Outdoor"', at };
const result = { refusal: null };
const alone = { ...campaign, ...result, name: 'Autumn', reason: 'already_active' } as const;
const refused = { ...alone, reason: 'pause_refused', refusal: 'Campaign has ended' } as const;
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
  refused: [],
  held: 1,
  unreachable: 0,
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

const NOTIFICATIONS: Record<string, Notification> = {
  paused: pausedNotification(paused),
  'paused by an override, over since': pausedNotification({ ...paused, isOverridden: true, dueAt: later }),
  'paused, one refused': pausedNotification({ ...paused, refused: [refused] }),
  'all refused': pausedNotification({ ...paused, campaigns: [], held: 0, refused: [refused] }),
  'account lost': accountLostNotification({ publicUrl, held: [campaign] }),
  'account blocked': accountBlockedNotification({ publicUrl, account: 'Chen "Outdoor"', held: [] }),
  'account blocked, one still paused': accountBlockedNotification({
    publicUrl,
    account: 'Chen "Outdoor"',
    held: [campaign],
  }),
  resumed: resumedNotification(resumed),
  'only not resumed': resumedNotification({ ...resumed, resumed: [], outage: null }),
  disabled: disabledNotification({ publicUrl, campaigns: [alone], off: 1 }),
  'disabled, on again': disabledNotification({
    publicUrl,
    campaigns: [{ ...alone, then: 'on again' }],
    off: 0,
  }),
  unknown: unknownNotification({ publicUrl, since: at, held: [campaign], unreachable: 0 }),
  'unknown, refused': unknownNotification({ publicUrl, since: at, held: [campaign], unreachable: 1 }),
  'unknown, one refused': unknownNotification({
    publicUrl,
    since: at,
    held: [campaign, alone],
    unreachable: 1,
  }),
  'token stale': tokenStaleNotification({ publicUrl, expiresAt: later }),
  'token expired': tokenExpiredNotification({
    publicUrl,
    expiresAt: later,
    lacksPermission: false,
    held: [campaign],
  }),
  'token refused': tokenExpiredNotification({ publicUrl, expiresAt: null, lacksPermission: false, held: [] }),
  'permission taken back': tokenExpiredNotification({
    publicUrl,
    expiresAt: null,
    lacksPermission: true,
    held: [],
  }),
  deauthorized: deauthorizedNotification({ ...farewell, subscribed: 'renews' }),
  deleted: deletedNotification({ ...farewell, subscribed: 'was', confirmationCode: 'ABC123' }),
};

/** The text that a user reads in the HTML. */
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

/** Removes what only one of the forms needs: bullets, brackets, colons. */
function labelOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

describe.each(Object.entries(NOTIFICATIONS))('[ENG-13] the notification %s', (_name, notification) => {
  const { subject, text, html } = render(notification, publicUrl);

  test('has the same content in both forms', () => {
    const shown = labelOf(readable(html));
    for (const line of text.split('\n')) {
      const [address] = /https:\S+/.exec(line) ?? [];
      expect(shown).toContain(labelOf(line.replace(address ?? '', '')));
      if (address !== undefined) expect(html).toContain(`href="${address}"`);
    }
  });

  test('has a subject of one line, no undefined value, and a zone with every time', () => {
    expect(subject).not.toMatch(/[\r\n]/);
    expect(subject.length).toBeLessThan(120);
    expect(text + html).not.toMatch(/undefined|null|NaN|\[object/);
    for (const [, zone] of text.matchAll(/\d:\d\d [AP]M(.{4})/g)) expect(zone).toBe(' EST');
  });

  test('escapes markup in names', () => {
    expect(html).not.toContain('<Sale>');
    expect(html).not.toMatch(/<script|javascript:/i);
  });
});

test('the pause names the status, the campaigns and the next step', () => {
  const { text } = render(NOTIFICATIONS['paused'] as Notification, publicUrl);
  expect(text).toContain(
    '⬣ High disruption: Meta reports high disruptions in its ad services since Jan 8, 2026, 9:10 PM EST. Your threshold is medium.',
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
  ['none is held', { held: 0 }, 'None of these campaigns is still paused by SmartPause.'],
  [
    'Meta denies access to one',
    { held: 2, unreachable: 1 },
    'SmartPause resumes 2 of these campaigns at the next 12:01 AM EST,',
  ],
  [
    'Meta denies access to all',
    { held: 0, unreachable: 3 },
    'Meta denies SmartPause access to 3 paused campaigns. Log in to SmartPause again, or resume them in Ads Manager.',
  ],
])('[ENG-13] a pause promises what is true when it is rendered: %s', (_title, facts, promise) => {
  const { text, html } = render(pausedNotification({ ...paused, campaigns: three, ...facts }), publicUrl);
  expect(text).toContain(promise);
  expect(/resumes? automatically/.test(html)).toBe(facts.held > 0);
  expect(text.includes('SmartPause resumes')).toBe(facts.held > 0);
});

test.each([
  [{ reason: null, at: later }, 'resumed Jan 8, 2026, 11:08 PM EST'],
  [{ reason: 'resumed_outside', at: later }, 'it was resumed outside SmartPause'],
  [null, 'no longer paused by SmartPause'],
] as const)('[ENG-13] a pause lists how the hold of a campaign has ended: %j', (end, words) => {
  const ended = { ...campaign, name: 'Ended', then: endCopy(end) };
  const { text } = render(
    pausedNotification({ ...paused, campaigns: [campaign, ended], held: 1 }),
    publicUrl,
  );
  expect(text).toContain(`- Ended: Jan 8, 2026, 9:10 PM EST; ${words}`);
});

test('[ENG-13] a campaign for which SmartPause is on again is not listed as disabled', () => {
  const on = { ...alone, name: 'On', then: 'SmartPause has been turned on again' };
  const { text, subject } = render(disabledNotification({ publicUrl, campaigns: [on], off: 0 }), publicUrl);
  expect(text).toContain('; SmartPause has been turned on again');
  expect(text).not.toMatch(/in the next disruption|turn SmartPause back on/);
  expect(subject).toBe('SmartPause was disabled for 1 campaign: changed outside SmartPause');
  expect(text).toContain('SmartPause was disabled for 1 campaign');
  expect(text).not.toContain('SmartPause is disabled');
  const both = render(disabledNotification({ publicUrl, campaigns: [on, alone], off: 1 }), publicUrl);
  expect(both.text).toContain(
    "SmartPause won't pause the 1 campaign that is still off in the next disruption",
  );
});

test('[ENG-13] after an hour of UNKNOWN the notification says since when, what stays paused and how to resume it', () => {
  const { text } = render(NOTIFICATIONS['unknown'] as Notification, publicUrl);
  expect(text).toContain("haven't been able to read Meta's status page since Jan 8, 2026, 9:10 PM EST");
  expect(text).toContain('Still paused in Chen "Outdoor" (1 campaign)');
  expect(text).toContain('turn SmartPause off for it, then press Manual Resume');
});

test('[ENG-13] after an hour of UNKNOWN a resume is promised only where Meta grants access', () => {
  const refused = render(NOTIFICATIONS['unknown, refused'] as Notification, publicUrl).text;
  expect(refused).toContain('Meta denies SmartPause access to 1 paused campaign');
  expect(refused).not.toMatch(/SmartPause resumes|Manual Resume/);
  const one = render(NOTIFICATIONS['unknown, one refused'] as Notification, publicUrl).text;
  expect(one).toContain('SmartPause resumes 1 of them');
  expect(one).toContain('Meta denies SmartPause access to 1 paused campaign');
});

test('the resume reports the duration, and what was not resumed and why', () => {
  const { text, subject } = render(NOTIFICATIONS['resumed'] as Notification, publicUrl);
  expect(subject).toBe('SmartPause resumed 1 campaign, 1 not resumed');
  expect(text).toContain('Outage: Jan 8, 2026, 9:10 PM EST to 11:08 PM EST');
  expect(text).toContain('Duration: 1 h 58 min');
  expect(text).toContain('- Autumn: Chen "Outdoor", Jan 8, 2026, 9:10 PM EST: it was already running again');
});

test('one campaign is it, several are them', () => {
  const token = { publicUrl, expiresAt: later, lacksPermission: false };
  const texts = [[campaign], [campaign, alone]].map((held) => [
    render(unknownNotification({ publicUrl, since: at, held, unreachable: 0 }), publicUrl).text,
    render(accountLostNotification({ publicUrl, held }), publicUrl).text,
    render(tokenExpiredNotification({ ...token, held }), publicUrl).text,
  ]);
  const words = (it: string, stays: string) => [
    expect.stringMatching(
      new RegExp(`campaigns? ${stays} paused.*SmartPause resumes ${it} and`, 's'),
    ) as string,
    expect.stringContaining(`SmartPause had paused ${it}, and`) as string,
    expect.stringContaining(`You can also resume ${it} in Ads Manager`) as string,
  ];
  expect(texts).toEqual([words('it', 'stays'), words('them', 'stay')]);
});

test('what was not resumed is the subject if it is all', () => {
  const leftAlone = [alone];
  const open = { ...outage, to: null, level: 'LOW_DISRUPTION' } as const;
  const none = resumedNotification({ ...resumed, resumed: [], leftAlone, outage: open });
  const { subject, text } = render(none, publicUrl);
  expect(subject).toBe('SmartPause did not resume 1 campaign');
  expect(text).toContain('already running again');
  expect(text).toContain('still ongoing');
  expect(text).not.toContain('below your threshold now');
});

test('[FR-01] a refused pause is named with what follows and Meta’s own words', () => {
  const some = render(NOTIFICATIONS['paused, one refused'] as Notification, publicUrl);
  expect(some.subject).toBe('SmartPause paused 1 campaign: Meta reports high disruptions');
  expect(some.text).toContain('Not paused (1 campaign)');
  expect(some.text).toContain('in this disruption, because Meta refused the change: Campaign has ended');
  const none = render(NOTIFICATIONS['all refused'] as Notification, publicUrl);
  expect(none.subject).toBe('SmartPause could not pause 1 campaign: Meta reports high disruptions');
  expect(none.text).not.toMatch(/resumes|Infinity|Invalid/);
});

test('a long list is cut, and the number of omitted items is named', () => {
  const campaigns = Array.from({ length: LIST_MAX + 7 }, (_one, index) => ({
    ...campaign,
    name: `Number ${index}`,
  }));
  const { text, html } = render(pausedNotification({ ...paused, campaigns }), publicUrl);
  for (const words of [text, html]) {
    expect(words).toContain(`Number ${LIST_MAX - 1}`);
    expect(words).not.toContain(`Number ${LIST_MAX}`);
    expect(words).toContain('and 7 more');
  }
});

test('a name cannot add a header to an email', () => {
  const notification: Notification = {
    subject: 'Hello\r\nBcc: other@example.com',
    preview: '',
    title: '',
    blocks: [],
  };
  expect(render(notification, publicUrl).subject).toBe('Hello Bcc: other@example.com');
  expect(escapeHtml('<a href="x">&</a>')).toBe('&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt;');
});

test('a name with line breaks adds no lines', () => {
  const name = 'Summer\n\nYour account was locked. Log in: http://evil.example';
  const named = { ...campaign, name, account: name };
  const { text, subject } = render(pausedNotification({ ...paused, campaigns: [named] }), publicUrl);
  expect(text).not.toMatch(/^Your account was locked/m);
  expect(subject).not.toContain('\n');
});
