import { expect, test } from 'vitest';
import { LIST_MAX, render } from './render.ts';
import { byAccount } from './templates/lists.ts';

const publicUrl = 'https://smartpause.example';

test('a long list is cut, and the number of omitted items is named', () => {
  const items = Array.from({ length: LIST_MAX + 1007 }, (_one, n) => [`Number ${n}`, ''] as const);
  const { text, html } = render({ subject: '', blocks: [{ list: 'Paused', items }] }, publicUrl);
  for (const words of [text, html]) {
    expect(words).toContain(`Number ${LIST_MAX - 1}`);
    expect(words).not.toContain(`Number ${LIST_MAX}`);
    expect(words).toContain('and 1,007 more');
  }
});

test('thirty long lists leave room for the rest below the 102 KB of an email that Gmail shows', () => {
  const names = Array.from({ length: 170 }, (_one, n) => [`Number ${n} ${'x'.repeat(40)}`, 'Jan 8'] as const);
  const lists = Array.from({ length: 30 }, (_one, n) => ({ list: `Paused in ${n}`, items: names }));
  const { text, html } = render({ subject: '', blocks: [...lists, 'They resume now.'] }, publicUrl);
  expect(Buffer.byteLength(html)).toBeLessThan(50_000);
  expect(text.match(/and 169 more: https/g)).toHaveLength(30);
});

/** A campaign with these names. */
const named = (account: string, name: string) => ({
  ...{ account, accountId: account },
  ...{ name, campaignId: name, at: 0 },
});

test('[ENG-13] campaigns are listed by ad account and name', () => {
  const lind = ['Birch', 'Äpfel'].map((name) => named('Lind', name));
  const chen = ['Shoes 10', 'Shoes 9'].map((name) => named('Chen', name));
  const { text } = render({ subject: '', blocks: byAccount('Paused', [...lind, ...chen]) }, publicUrl);
  expect(text).toMatch(/in Chen.*- Shoes 9\n- Shoes 10\n.*in Lind.*- Äpfel\n- Birch\n/s);
});

test('the campaigns of very many ad accounts leave room for the rest of the email', () => {
  const all = Array.from({ length: 800 }, (_one, n) =>
    named(`Account ${n % 400} ${'x'.repeat(40)}`, `Campaign ${n} ${'x'.repeat(40)}`),
  );
  const blocks = [...byAccount('Resumed', all), ...byAccount('Still paused', all), 'They resume now.'];
  const { text, html } = render({ subject: '', blocks }, publicUrl);
  expect(Buffer.byteLength(html)).toBeLessThan(90_000);
  expect(text).toContain('Resumed in Account 19 ');
  expect(text).toContain('Resumed in 380 more ad accounts (760 campaigns):\n- Account 20 ');
  expect(text).toContain(': 2 campaigns\n- and 379 more');
});

test('[FR-23] a subject is cut between characters as people see them', () => {
  const { subject } = render({ subject: '👩‍👩‍👧‍👦'.repeat(400), blocks: [] }, publicUrl);
  expect(subject).toBe(`${'👩‍👩‍👧‍👦'.repeat(13)}…`);
});
