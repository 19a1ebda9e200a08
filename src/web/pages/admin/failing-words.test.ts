import { expect, test } from 'vitest';
import { FAILING_PARTS } from '#contract/failing.ts';
import { failingWords } from './failing-words.ts';

test.each(FAILING_PARTS)('%s: one and many are said rightly', (part) => {
  const one = failingWords(part, 1).what;
  const many = failingWords(part, 12_345).what;
  expect(one).not.toMatch(/\b1 \w+( \w+)?s\b/);
  if (one !== many) expect(many).toContain('12,345 ');
});

test('what only a newer server knows of is shown by its name', () => {
  expect(failingWords('the_moon', 1)).toEqual({ what: 'the_moon', then: '' });
});
