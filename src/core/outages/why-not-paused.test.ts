import { expect, test } from 'vitest';
import type { CampaignFacts, UserFacts } from './why-not-paused.ts';
import { reasonFor, reasonForAll, refusalLabel } from './why-not-paused.ts';

const outage = { startedAt: 1000, endedAt: 5000 };
const user: UserFacts = { isSetUp: true, isSubscribed: true, tokenUsable: true, threshold: 'MEDIUM' };
const campaign: CampaignFacts = {
  status: 'ACTIVE',
  isLegacyAdvantage: false,
  pausedManuallyAt: null,
  changedInAdsManagerAt: null,
  isHeldByOther: false,
  isHeldBefore: false,
  isPausedAll: false,
  isAccountRefused: false,
  isWithoutDelivery: false,
  setting: { value: 'ON', changedAt: 0 },
};

test.each<[string, Partial<UserFacts>, Parameters<typeof reasonForAll>[1], ReturnType<typeof reasonForAll>]>([
  ['nothing prevented it', {}, 'MEDIUM_DISRUPTION', null],
  ['not set up', { isSetUp: false, isSubscribed: false }, 'HIGH_DISRUPTION', 'not_set_up'],
  ['below the threshold', { isSubscribed: false }, 'LOW_DISRUPTION', 'below_threshold'],
  ['no subscription', { isSubscribed: false, tokenUsable: false }, 'HIGH_DISRUPTION', 'no_subscription'],
  ['a refused token', { tokenUsable: false }, 'HIGH_DISRUPTION', 'access_refused'],
])('[HIST-01] for all campaigns: %s', (_title, facts, peak, expected) => {
  expect(reasonForAll({ ...user, ...facts }, peak)).toBe(expected);
});

test.each<[string, Partial<CampaignFacts>, ReturnType<typeof reasonFor>]>([
  ['legacy Advantage+', { isLegacyAdvantage: true, status: 'PAUSED' }, 'legacy_advantage'],
  ['[FR-01] ended before the outage', { stopTime: 1000, setting: null }, 'ended'],
  ['[FR-01] ended in the outage, SmartPause off', { stopTime: 1001, setting: null }, 'smartpause_off'],
  ['[FR-01] ended in the outage', { stopTime: 5000 }, 'ended'],
  ['[FR-01] ended after it', { stopTime: 5001 }, 'not_in_time'],
  ['[FR-01] starts after the outage', { startTime: 5001 }, 'scheduled'],
  ['[FR-01] started in the outage', { startTime: 5000 }, 'not_in_time'],
  ['[EARLY-08] paused by the user’s own word', { isPausedAll: true, status: 'PAUSED' }, 'paused_all'],
  ['paused by an earlier outage', { isHeldBefore: true, status: 'PAUSED' }, 'held_before'],
  ['another user held it', { isHeldByOther: true, status: 'PAUSED' }, 'held_by_other_user'],
  ['paused manually in the outage', { pausedManuallyAt: 1000, status: 'PAUSED' }, 'paused_manually'],
  [
    'paused manually in the outage, SmartPause off before',
    { pausedManuallyAt: 3000, status: 'PAUSED', setting: { value: 'OFF', changedAt: 2000 } },
    'smartpause_off',
  ],
  [
    'paused manually in the outage, SmartPause off afterwards',
    { pausedManuallyAt: 2000, status: 'PAUSED', setting: { value: 'OFF', changedAt: 3000 } },
    'paused_manually',
  ],
  ['paused manually before', { pausedManuallyAt: 999, status: 'PAUSED' }, 'already_paused'],
  ['paused, and SmartPause off', { status: 'PAUSED', setting: null }, 'already_paused'],
  ['paused in Ads Manager before', { changedInAdsManagerAt: 999, status: 'PAUSED' }, 'already_paused'],
  [
    'paused in Ads Manager in the outage',
    { changedInAdsManagerAt: 1000, status: 'PAUSED' },
    'paused_in_ads_manager',
  ],
  [
    'paused there, SmartPause off',
    { changedInAdsManagerAt: 1000, status: 'PAUSED', setting: null },
    'smartpause_off',
  ],
  ['paused there after the outage', { changedInAdsManagerAt: 5001, status: 'PAUSED' }, 'not_in_time'],
  ['never turned on', { setting: null }, 'smartpause_off'],
  ['off', { setting: { value: 'OFF', changedAt: 2000 } }, 'smartpause_off'],
  ['disabled', { setting: { value: 'DEACTIVATED', changedAt: 2000 } }, 'smartpause_deactivated'],
  ['changed after the outage', { setting: { value: 'ON', changedAt: 5001 } }, 'not_recorded'],
  ['paused manually after it', { pausedManuallyAt: 5001, status: 'PAUSED' }, 'not_recorded'],
  ['[FR-30] Meta delivers nothing in the ad account', { isWithoutDelivery: true }, 'no_delivery'],
  ['the same, and SmartPause off', { isWithoutDelivery: true, setting: null }, 'no_delivery'],
  [
    'the same, paused before',
    { isWithoutDelivery: true, changedInAdsManagerAt: 999, status: 'PAUSED' },
    'already_paused',
  ],
  ['[FR-06] Meta refuses the ad account', { isAccountRefused: true }, 'no_access'],
  ['on and running, and nothing known prevented the pause', {}, 'not_in_time'],
])('[HIST-03] one campaign: %s', (_title, facts, expected) => {
  expect(reasonFor({ ...campaign, ...facts }, outage, null, 9000)).toBe(expected);
});

test.each<[Parameters<typeof reasonFor>[2], ReturnType<typeof reasonFor>, ReturnType<typeof reasonFor>]>([
  [null, 'not_in_time', null],
  ['no_subscription', 'no_subscription', 'no_subscription'],
  ['access_refused', 'access_refused', 'access_refused'],
  // Others were paused: the threshold was met, and changed only later.
  ['below_threshold', 'not_in_time', null],
])(
  '[HIST-03] a running campaign beside paused ones, with %s for all: %s; while open: %s',
  (forAll, ended, open) => {
    expect(reasonFor(campaign, outage, forAll, 9000)).toBe(ended);
    expect(reasonFor(campaign, { ...outage, endedAt: null }, forAll, 4000)).toBe(open);
  },
);

test('a refusal is said in plain words, a failure without an answer is none', () => {
  expect(refusalLabel('permission')).toBe('Meta denied access to the campaign');
  expect(refusalLabel('transient')).toBeNull();
  expect(refusalLabel(null)).toBeNull();
});
