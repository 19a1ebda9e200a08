import { expect, test } from 'vitest';
import { silentText } from './silent-incident.ts';

test('[FR-37] a silent incident is named with its words and its time', () => {
  const since = Date.parse('2026-01-08T12:00:00Z');
  expect(silentText({ id: '1', service: 'Ads Delivery', phrase: 'High disruptions', since })).toBe(
    'Meta’s status page still lists “High disruptions” for Ads Delivery since Jan 8, 2026, 7:00 AM EST (12:00 UTC), without a post for 12 hours. SmartPause treats it as ended.',
  );
});
