import { DAY_MS } from '../../../scripts/outside/stripe.ts';
import { waitFor } from '../../../scripts/outside/wait-for.ts';
import type { Area } from '../state.ts';
import { holdsTwo, opensCampaigns } from './dashboard.ts';

const SHOES = 'Trail Shoes | Prospecting';

/** The dashboard during outages and failures. */
export const outage: Area = {
  name: 'outage',
  states: [
    {
      name: 'matched',
      reach: async (visit) => {
        await opensCampaigns(visit, await holdsTwo(visit));
        await visit.sees('SmartPause Activated - Threshold Matched');
        await visit.sees('SmartPause Active');
      },
    },
    {
      name: 'matched-nothing-protected',
      reach: async (visit) => {
        const nora = await visit.world.advertiser();
        await visit.world.meets('HIGH_DISRUPTION');
        await opensCampaigns(visit, nora);
        await visit.sees('Nothing is protected in this disruption');
      },
    },
    {
      name: 'matched-token-refused',
      reach: async (visit) => {
        const nora = await visit.world.advertiser({ on: [SHOES] });
        await visit.world.product.graph.post('/tokens/invalidate', { userId: nora.id });
        await visit.world.meets('HIGH_DISRUPTION');
        await waitFor('the token to be refused', async () => {
          const { user } = await nora.over.get<{ user: { access: string } }>('/api/me');
          return user.access === 'expired';
        });
        await opensCampaigns(visit, nora);
        await visit.sees('1 campaign can’t be paused: Meta no longer accepts our access.');
      },
    },
    {
      name: 'below-threshold',
      reach: async (visit) => {
        const nora = await visit.world.advertiser({ on: [SHOES] });
        await visit.world.meets('LOW_DISRUPTION');
        await opensCampaigns(visit, nora);
        await visit.sees('Meta Services Disruption Detected');
      },
    },
    {
      name: 'resume-scheduled',
      reach: async (visit) => {
        const resumeSettings = { mode: 'delay', delay: { value: 2, unit: 'hours' } };
        const nora = await holdsTwo(visit, { setup: { resumeSettings } });
        await visit.world.recovers();
        await opensCampaigns(visit, nora);
        await visit.sees('SmartPause Resume Scheduled');
      },
    },
    {
      name: 'resume-now-asked',
      reach: async (visit) => {
        const resumeSettings = { mode: 'delay', delay: { value: 2, unit: 'hours' } };
        const nora = await holdsTwo(visit, { setup: { resumeSettings } });
        await visit.world.recovers();
        await opensCampaigns(visit, nora);
        await visit.presses('Resume now');
        await visit.sees('Resume 2 campaigns now?');
      },
    },
    {
      name: 'resume-now-some-failed',
      reach: async (visit) => {
        const resumeSettings = { mode: 'delay', delay: { value: 2, unit: 'hours' } };
        const nora = await holdsTwo(visit, { setup: { resumeSettings } });
        await visit.world.recovers();
        await opensCampaigns(visit, nora);
        const { id } = await nora.campaign(SHOES);
        const error = { code: 'CAMPAIGN_ACTION_FAILED', message: 'Meta didn’t apply this change.' };
        await visit.page.route(`**/api/campaigns/${id}/resume`, (route) =>
          route.fulfill({ status: 502, json: { error } }),
        );
        await visit.presses('Resume now');
        await visit.presses('Resume 2 campaigns');
        await visit.sees('Some campaigns were not resumed');
      },
    },
    {
      name: 'resume-next-day',
      reach: async (visit) => {
        const nora = await holdsTwo(visit, { setup: { resumeSettings: { mode: 'next_day' } } });
        await visit.world.recovers();
        await visit.world.meets('LOW_DISRUPTION');
        await opensCampaigns(visit, nora);
        await visit.sees('SmartPause Resume Scheduled');
      },
    },
    {
      name: 'unknown',
      reach: async (visit) => {
        const nora = await visit.world.advertiser({ on: [SHOES] });
        await visit.world.meets('UNKNOWN');
        await opensCampaigns(visit, nora);
        await visit.sees('Meta Status Unknown');
      },
    },
    {
      name: 'trial-ends-soon',
      reach: async (visit) => {
        await visit.world.product.stripe.setClock(-28 * DAY_MS);
        await opensCampaigns(visit, await visit.world.advertiser({ plan: 'yearly', on: [SHOES] }));
        await visit.sees(/Your trial ends soon/);
      },
    },
    {
      name: 'access-ends-soon',
      reach: async (visit) => {
        await visit.world.product.graph.post('/settings', { codeTokenSeconds: 7200, extendTokens: false });
        const nora = await visit.world.advertiser({ on: [SHOES] });
        await visit.world.product.advance(61 * 60_000);
        await opensCampaigns(visit, nora);
        await visit.sees('Token Refresh Required');
      },
    },
    {
      name: 'lapsed-at-home',
      reach: async (visit) => {
        const nora = await holdsTwo(visit);
        await nora.subscriptionBecomes('past_due');
        await visit.opens('/', nora);
        await visit.sees('2 campaigns are paused by SmartPause right now');
      },
    },
    {
      name: 'lapsed-campaigns',
      reach: async (visit) => {
        const nora = await holdsTwo(visit);
        await nora.subscriptionBecomes('unpaid');
        await visit.opens('/', nora);
        await visit.page.getByRole('link', { name: 'See them, or resume them yourself' }).click();
        await visit.sees('New outages won’t pause your campaigns');
        await visit.page.getByRole('switch').first().waitFor();
      },
    },
  ],
};
