import { expect, test } from 'vitest';
import { hours, minutes } from '../time.ts';
import { disruptionHeadline } from './disruption-headline.ts';

const DELIVERY = { name: 'Ads Delivery', level: 'HIGH_DISRUPTION' } as const;
const MANAGER = { name: 'Meta Ads Manager', level: 'MEDIUM_DISRUPTION' } as const;
const LOGIN = { name: 'Login', level: 'MEDIUM_DISRUPTION' } as const;
const NOW = hours(100);

type Given = Partial<Parameters<typeof disruptionHeadline>[0]>;

test.each<[string, Given]>([
  ['Meta Ads Delivery is down · 12 min', { services: [DELIVERY] }],
  ['Meta Ads Delivery is down · just now', { services: [DELIVERY], since: NOW - 59_999 }],
  ['Meta Ads Delivery is down · 1 min', { services: [DELIVERY], since: NOW - 119_999 }],
  ['Meta Ads Delivery is down · 1 h 5 min', { services: [DELIVERY], since: NOW - minutes(65) - 59_000 }],
  ['Meta Ads Delivery is down', { services: [DELIVERY], since: null }],
  // A clock of the page that is behind.
  ['Meta Ads Delivery is down · just now', { services: [DELIVERY], since: NOW + 5000 }],
  [
    'Meta Ads Delivery is down, Ads Manager and Login are disrupted · 12 min',
    { services: [MANAGER, DELIVERY, LOGIN] },
  ],
  [
    'Meta Login is slightly disrupted · 12 min',
    { level: 'LOW_DISRUPTION', services: [{ ...LOGIN, level: 'LOW_DISRUPTION' }] },
  ],
  ['Meta ad services are disrupted', { level: 'MEDIUM_DISRUPTION', since: null }],
  ['The SmartPause team reports: Meta ad services are down · 12 min', { isOverridden: true }],
])('[UX-19] %s', (words, given) => {
  const usual = {
    level: 'HIGH_DISRUPTION',
    isOverridden: false,
    services: [],
    since: NOW - minutes(12),
  } as const;
  expect(disruptionHeadline({ ...usual, ...given }, NOW)).toBe(words);
});
