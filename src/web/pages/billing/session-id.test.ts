import { expect, test } from 'vitest';
import { shownSessionId } from './session-id.ts';

test.each([
  ['', null],
  ['session_id=', null],
  ['session_id=cs_test_a1', 'cs_test_a1'],
  ['session_id=cs_live_A1b2_C3', 'cs_live_A1b2_C3'],
  ['session_id=cs_', null],
  ['session_id=<b>bold</b>', null],
  ['session_id=cs_test_a1 call 555-0100', null],
  ['session_id=cs_test_a1%0A', null],
  ['session_id=You have won', null],
  [`session_id=cs_${'a'.repeat(5000)}`, null],
])('[ROUTE-08] ?%s shows %s', (query, shown) => {
  expect(shownSessionId(new URLSearchParams(query))).toBe(shown);
});
