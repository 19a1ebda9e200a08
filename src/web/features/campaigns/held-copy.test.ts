import { expect, test } from 'vitest';
import { minutes } from '#core/time.ts';
import { heldCopy } from './held-copy.ts';

const now = Date.parse('2026-01-09T02:30:00Z');

test('paused campaigns are counted, and the text says how they resume', () => {
  const one = heldCopy(1, null, now);
  expect(one.title).toBe('1 campaign is paused by SmartPause right now');
  expect(one.text).toMatch(/^It still resumes when the disruption ends, as set in Settings\./);
  const three = heldCopy(3, now + minutes(17), now);
  expect(three.title).toBe('3 campaigns are paused by SmartPause right now');
  expect(three.text).toMatch(/^They still resume at 9:47 PM EST\./);
  expect(heldCopy(3, now + minutes(151), now).text).toMatch(
    /^They still resume on Jan 9, 2026, 12:01 AM EST\./,
  );
});
