import { expect, test } from 'vitest';
import type { Activity } from '#contract/outage-api.ts';
import { withFormer } from './api.ts';

const page = (ids: string, next: string | null) => ({
  activities: ids.split('').map((id): Activity => ({
    ...{ id, at: '2026-01-08T21:10:00Z', kind: 'setting', actor: 'user', user: null, message: id },
    campaignId: null,
    outageId: null,
  })),
  next,
});

test.each([
  ['new entries push two off the page', page('gfed', 'd'), page('edcb', 'b'), page('gfedcb', 'b')],
  ['the page is full for the first time', page('edcb', 'b'), page('dcba', null), page('edcba', null)],
  ['nothing in common', page('hgf', 'f'), page('cba', 'a'), page('hgf', 'f')],
  ['the first read', page('cba', 'a'), undefined, page('cba', 'a')],
  ['no entries', page('', null), page('', null), page('', null)],
])('no entry falls between the first and the second page: %s', (_, now, former, shown) => {
  expect(withFormer(now, former)).toEqual(shown);
});
