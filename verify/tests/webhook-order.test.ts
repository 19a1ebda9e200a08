import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { billingSuite } from '../../test/support/billing-suite.ts';
import type { Customer, State } from '../../test/support/billing-suite.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('Stripe webhooks', () => {
  const suite = billingSuite();
  const { stripe, subscriber, stateOf, portal, later } = suite;

  test('any order, duplication and loss of webhooks, with a sweep at the end, gives the same row', async () => {
    const act = fc.constantFrom('cancel', 'renew', 'switch', 'fail', 'good', 'week', 'month');
    const fate = fc.constantFrom('oldest_first', 'newest_first', 'lost', 'twice');
    const story = fc.array(fc.record({ act, fate }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(story, async (steps) => {
        const who = await subscriber();
        for (const step of steps) {
          await stripe().holdWebhooks();
          await applyPlan(who, step.act);
          if (step.fate === 'lost') await stripe().discardWebhooks();
          if (step.fate === 'twice') await stripe().doubleWebhooks({ times: 3 });
          await stripe().releaseWebhooks(step.fate === 'newest_first' ? 'newest_first' : 'oldest_first');
          await stripe().ask('DELETE', '/faults');
        }
        await suite.swept(DAY + 2 * HOUR);
        const swept = await stateOf(who);
        const fresh = await who.user.post<State>('/api/stripe/refresh-subscription');
        expect(swept).toEqual(fresh);
      }),
      { numRuns: 6 },
    );
  });

  async function applyPlan(who: Customer, act: string): Promise<void> {
    if (act === 'week') return later(7 * DAY);
    if (act === 'month') return later(31 * DAY);
    await stateOf(who);
    const page = await portal(who);
    if (act === 'cancel') await page.cancel();
    if (act === 'renew') await page.renew();
    if (act === 'switch') await page.switchTo('price_smartpause_yearly');
    if (act === 'fail') await page.changeCard('fails_at_renewal');
    if (act === 'good') await page.changeCard('good');
  }
});
