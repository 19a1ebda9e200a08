import { expect, test } from 'vitest';
import { shownSessionId } from './session-id.ts';

test.each([
  ['', null],
  ['session_id=', null],
  ['session_id=cs_test_a1', 'cs_test_a1'],
  ['session_id=<b>bold</b>', '<b>bold</b>'],
  [`session_id=${'a'.repeat(5000)}`, `${'a'.repeat(100)}…`],
])('[ROUTE-08] ?%s shows %s', (query, shown) => {
  expect(shownSessionId(new URLSearchParams(query))).toBe(shown);
});
