import { expect, test } from 'vitest';
import { silentText } from './silent-incident.ts';

test('[FR-37] a silent incident is named with its words and its time', () => {
  const since = Date.parse('2026-01-08T12:00:00Z');
  expect(silentText({ id: '1', service: 'Ads Delivery', phrase: 'High disruptions', since })).toBe(
    'Ads Delivery: "High disruptions" since 2026-01-08 12:00 UTC, without a post for 12 hours; it no longer counts.',
  );
});
