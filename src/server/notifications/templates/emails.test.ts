import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { describe, expect, test } from 'vitest';
import type { NotificationKind } from '#core/notifications.ts';
import type { PendingActivity } from '../../db/reports/notified-activities.ts';
import { KINDS } from '../write-notifications.ts';
import type { Facts } from '../facts.ts';
import { withClearNames } from '../facts.ts';
import { storedMessage } from '../message.ts';
import { render, shortened } from '../render.ts';
import {
  publicUrl,
  at,
  later,
  paused,
  resumed,
  tested,
  held,
  token,
  FACTS,
  unknownStatus,
  unknown,
  stale,
  remindedAfter,
  refusedWith,
} from '../../../../test/support/email-facts.ts';
import { EMAILS } from './emails.fixture.ts';

function email(kind: NotificationKind, over: Partial<Facts>) {
  const notification = KINDS[kind].compose({ ...FACTS, ...over });
  if (notification === null) throw new Error('nothing to report');
  const message = { ...shortened(notification), events: ['paused'], outage: null, occurredAt: at };
  // As it is stored until it is sent.
  return render(storedMessage.parse(JSON.parse(JSON.stringify(message))), publicUrl);
}

/** The text that a user reads in the HTML. */
function readable(html: string): string {
  const words = html.replace(/<style>.*?<\/style>/gs, '').replace(/<[^>]+>/g, ' ');
  return words.replace(
    /&(lt|gt|quot|amp);/g,
    (_all, name: string) => ({ lt: '<', gt: '>', quot: '"' })[name] ?? '&',
  );
}

/** Removes what only one of the forms needs: bullets, brackets, colons. */
function labelOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

describe.each(EMAILS)('[ENG-13] an email: %s', (_title, kind, over, wanted, unwanted = []) => {
  const { subject, text, html } = email(kind, over);

  test('says what is true, has no undefined value, and a zone with every time', () => {
    for (const words of wanted) expect(text).toContain(words);
    for (const words of unwanted) expect(text).not.toContain(words);
    expect(subject.length).toBeLessThan(120);
    expect(text + html).not.toMatch(/undefined|null|NaN|Infinity|Invalid|\[object/);
    for (const [, zone] of text.matchAll(/\d:\d\d [AP]M(.{4})/g)) expect(zone).toBe(' EST');
  });

  test('has the same content in both forms, escaped', () => {
    const shown = labelOf(readable(html));
    for (const line of text.split('\n')) {
      const [address] = /https:\S+/.exec(line) ?? [];
      expect(shown).toContain(labelOf(line.replace(address ?? '', '')));
      if (address !== undefined) expect(html).toContain(`href="${address}"`);
    }
    expect(html).not.toContain('<Sale>');
  });
});

test('[FR-22] every link leads to one of five pages, which outbox.test.ts opens', () => {
  const links = EMAILS.flatMap(([, kind, over]) => {
    const { text, html } = email(kind, over);
    return [...text.matchAll(/https:\S+/g), ...html.matchAll(/(?<=href=")[^"]+/g)].map(([link]) => link);
  });
  const pages = ['', '/activity', '/activity/12', '/auth/facebook', '/settings/notifications'].map(
    (path) => publicUrl + path,
  );
  expect([...new Set(links)].toSorted()).toEqual(pages);
});

test.each<[Partial<PendingActivity>, string]>([
  [{ message: 'Test: resumed {campaigns}' }, 'Test: resumed “Spring & <Sale>”'],
  [
    { message: 'Test: kept {campaigns} paused for you', detail: 'it is paused for a live test' },
    'Test: kept “Spring & <Sale>” paused for you: it is paused for a live test',
  ],
  [{ campaignId: '2' }, 'Test: tested 2 campaigns'],
])('[TEST-02, ENG-13] the subject of a live test that ends with %j', (last, subject) => {
  expect(email('live_test', { acts: [tested, { ...resumed, ...last }] }).subject).toBe(subject);
});

test.each<[NotificationKind, Partial<Facts>]>([
  [
    'unknown',
    { ...unknown, held: [{ ...held, threshold: 'HIGH' }], status: { ...unknownStatus, known: 'UP' } },
  ],
  ['unknown', { ...unknown, status: { ...unknownStatus, since: at + 1 } }],
  ['account_lost', { held: [{ ...held, isAccountLost: false }] }],
  ['account_blocked', {}],
  ['reminder', remindedAfter(5.9)],
  ['reminder', { ...remindedAfter(6), held: [] }],
  ['token_stale', { ...stale, acts: [paused] }],
  ['token_stale', { ...stale, token }],
  ['token_stale', { ...stale, now: later }],
  ['token_expired', { token: { ...token, rejectedAt: null } }],
  ['token_expired', { lastAt: at }],
])('[ENG-13] no email %s about what is no longer true', (kind, over) => {
  expect(KINDS[kind].compose({ ...FACTS, ...over })).toBeNull();
});

const NAME = `Sale\r\nBcc: x@example.com 🎉\u202Eevil\u2028${'Ж'.repeat(400)}`;
const given = { name: NAME, account: NAME, detail: NAME };
test.each(EMAILS)('[FR-23] names and Meta’s words cannot change an email: %s', async (_title, kind, over) => {
  const acts = withClearNames(
    (over.acts ?? [paused]).map((act) => ({ ...act, ...given, happened: refusedWith(NAME, act.happened) })),
  );
  const content = email(kind, { ...over, acts, held: withClearNames([{ ...held, ...given }]) });
  const message = new MailComposer({ ...content, from: 'a@example.com', to: 'b@example.com' });
  const source = await message.compile().build();
  const lines = source.toString('latin1').split('\r\n');
  const headers = lines.slice(0, lines.indexOf(''));
  expect(headers.filter((line) => /^(subject|bcc):/i.test(line))).toHaveLength(1);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(998);
  for (const words of Object.values(content)) expect(words).not.toMatch(/\p{Bidi_Control}|\u2028|\r|^Bcc/mu);
  expect(content.text).not.toContain('Ж'.repeat(300));
});
