import { expect, test } from '../support/fixtures.ts';
import { passesUntil } from '../support/page-clock.ts';

test('[HIST-02, UX-13] the campaigns after the first page of an outage change with the first one, and say when they cannot be read', async ({
  nora,
  page,
}) => {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE' } });
  const campaign = (id: string, name: string, result: string) => ({
    ...{ id, campaignId: id, name, accountId: 'act_1', result, reason: null, detail: null, decidedAt: null },
    ...{ sentAt: null, pausedAt: null, resumeSentAt: null, resumedAt: null, endedAt: null },
  });
  const state = { result: 'paused', next: 'h1', isDown: false };
  const outage = () => ({
    ...{ id: '1', startedAt: '2026-01-09T02:10:00Z', endedAt: null, peak: 'HIGH_DISRUPTION' },
    ...{ threshold: 'HIGH', matchedAt: null, reason: null, lastPauseAfterMs: null },
    ...{ components: [], quotes: [], levels: [], accounts: [] },
    counts: {
      ...{ paused: 2, keptPaused: 0, notResumed: 0, notPaused: 0 },
      ...(state.result === 'paused' ? { stillPaused: 2, resumed: 0 } : { stillPaused: 0, resumed: 2 }),
    },
  });
  await page.route('**/api/outages/1*', (route) => {
    const cursor = new URL(route.request().url()).searchParams.get('cursor');
    if (cursor !== null && (state.isDown || cursor !== state.next)) return route.fulfill({ status: 400 });
    const [own, next] =
      cursor === null
        ? [campaign('1', 'Boots', state.result), state.next]
        : [campaign('2', 'Hats', state.result), null];
    return route.fulfill({ json: { outage: outage(), campaigns: [own], next } });
  });
  await page.clock.install();
  await nora.opens('/activity/1');
  await nora.presses('Show more');
  const rows = page.getByRole('list', { name: 'Campaigns' }).getByRole('listitem');
  await expect(rows).toContainText([/Boots.*Still paused/, /Hats.*Still paused/]);
  Object.assign(state, { result: 'resumed', next: 'h2', isDown: true });
  const old = page.getByText(/^Can’t update the campaigns after the first 100\./);
  await passesUntil(page, () => old.isVisible());
  await expect(rows).toContainText([/Boots.*Resumed/, /Hats.*Still paused/]);
  state.isDown = false;
  await passesUntil(page, () => rows.filter({ hasText: /Hats.*Resumed/ }).isVisible());
  await expect(rows).toContainText([/Boots.*Resumed/, /Hats.*Resumed/]);
  await expect(page.getByText('Can’t update')).toHaveCount(0);
});
