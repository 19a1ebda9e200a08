import { expect, test } from 'vitest';
import { minutes } from '#core/time.ts';
import { heldWords } from './held-words.ts';

const now = Date.parse('2026-01-09T02:30:00Z');

test('what is held is counted, and its way back is promised', () => {
  const one = heldWords(1, null, now);
  expect(one.title).toBe('1 campaign is paused by SmartPause right now');
  expect(one.text).toMatch(/still resumes it when the disruption is over/);
  const three = heldWords(3, now + minutes(17), now);
  expect(three.title).toBe('3 campaigns are paused by SmartPause right now');
  expect(three.text).toMatch(/still resumes them at 9:47 PM EST/);
});
