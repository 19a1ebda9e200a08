import { expect, test } from 'vitest';
import { prerender } from './prerender.tsx';

test('[LAND-01] the landing page states no interval, because STATUS_POLL_SECONDS differs', () => {
  const page = prerender();
  expect(page).toContain('We watch Meta’s ad services');
  expect(page).not.toMatch(/every \w+ (seconds|minutes)/);
});
