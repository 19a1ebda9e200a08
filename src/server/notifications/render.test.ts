import { expect, test } from 'vitest';
import { LIST_MAX, render } from './render.ts';

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

test('[FR-23] a subject is cut between characters as people see them', () => {
  const { subject } = render({ subject: '👩‍👩‍👧‍👦'.repeat(400), blocks: [] }, publicUrl);
  expect(subject).toBe(`${'👩‍👩‍👧‍👦'.repeat(149)}…`);
});
