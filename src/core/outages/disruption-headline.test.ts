import { expect, test } from 'vitest';
import { disruptionHeadline } from './disruption-headline.ts';

const DELIVERY = { name: 'Ads Delivery', level: 'HIGH_DISRUPTION' } as const;
const MANAGER = { name: 'Meta Ads Manager', level: 'MEDIUM_DISRUPTION' } as const;
const LOGIN = { name: 'Login', level: 'MEDIUM_DISRUPTION' } as const;

type Given = Partial<Parameters<typeof disruptionHeadline>[0]>;

test.each<[string, Given]>([
  ['Meta Ads Delivery is down', { services: [DELIVERY] }],
  [
    'Meta Ads Delivery is down, Ads Manager and Login are disrupted',
    { services: [MANAGER, DELIVERY, LOGIN] },
  ],
  [
    'Meta Login is slightly disrupted',
    { level: 'LOW_DISRUPTION', services: [{ ...LOGIN, level: 'LOW_DISRUPTION' }] },
  ],
  ['Meta ad services are disrupted', { level: 'MEDIUM_DISRUPTION' }],
  ['The SmartPause team reports: Meta ad services are down', { isOverridden: true }],
])('[UX-19] %s', (words, given) => {
  const usual = { level: 'HIGH_DISRUPTION', isOverridden: false, services: [] } as const;
  expect(disruptionHeadline({ ...usual, ...given })).toBe(words);
});
