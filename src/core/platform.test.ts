import { expect, test } from 'vitest';
import { unreadable } from './platform.ts';

test('an unreadable response is transient, and says whether a write may have been carried out', () => {
  expect(unreadable('HTML', true)).toMatchObject({ kind: 'transient', maybeDone: true });
  expect(unreadable('refused', false)).toMatchObject({ kind: 'transient', maybeDone: false });
});
