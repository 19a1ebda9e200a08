import { DAY_MS } from '../../scripts/simulator-clients/stripe.ts';
import { expect } from '../support/fixtures.ts';
import { manyCampaigns } from '../support/many-campaigns.ts';
import type { States, Visit } from './visit.ts';
import { GIFTS, JACKETS, SHOES, seenBy } from './visit.ts';

const LONG = {
  'Lind Outdoor Equipment and Expedition Supplies International (Northern Europe, all brands)': {
    'Autumn Winter Collection 2026 | Prospecting | Lookalike 1-3% | Northern Europe | Video and Carousel | Cost cap':
      'ACTIVE',
    AW26_PROSPECTING_LOOKALIKE_1_3_NORTHERN_EUROPE_VIDEO_CAROUSEL_COST_CAP_42_EUR_EVERGREEN_V7_FINAL_FINAL:
      'PAUSED',
    A: 'ACTIVE',
  },
  'Lind Tents': {},
} as const;

const THREE = {
  'Lind Outdoor': { [SHOES]: 'ACTIVE', [JACKETS]: 'ACTIVE', [GIFTS]: 'PAUSED' },
  'Lind Tents': { 'Family Tents | Broad': 'ACTIVE' },
  'Lind Yachts': {},
} as const;

const TWELVE = Object.fromEntries(
  Array.from({ length: 12 }, (_, at) => [`Client ${at + 1}`, { [`Sale ${at + 1}`]: 'ACTIVE' as const }]),
);

const IN_TWO_HOURS = { setup: { resumeSettings: { mode: 'delay', delay: { value: 2, unit: 'hours' } } } };

/** A resume that Meta refuses for good. */
export async function notResumed(v: Visit): Promise<void> {
  await v.holdsTwo();
  const words = { userTitle: 'Campaign has ended', op: 'inner', times: 0 };
  await v.world.graph.fault({
    kind: 'error',
    code: 100,
    subcode: 1487000,
    ...words,
    method: 'POST',
    user: v.id,
  });
  await v.world.reports('Resolved');
  await v.opensCampaigns();
  await v.sees('Meta refuses to resume 2 campaigns');
  await v.world.advance(61_000);
  await v.sees('2 campaigns not resumed: Meta refused');
  await v.sees('Resume now');
}

export async function refusedResume(v: Visit): Promise<void> {
  await v.holdsTwo();
  await v.isRefused();
  await v.world.reports('Resolved');
  await v.opensCampaigns();
  await v.sees('Retry now');
}

const many = (count: number) => ({ accounts: { 'Lind Agency': manyCampaigns(count) } });

async function selectsAll(v: Visit): Promise<void> {
  await v.as(many(10));
  await v.opensCampaigns();
  await v.page.getByLabel('Select all 10 campaigns').check();
  await v.sees('10 selected');
}

async function loading(v: Visit, addresses: string, placeholder: string): Promise<void> {
  await v.holdsBack(addresses);
  await v.as();
  await v.opens('/');
  await expect(v.page.locator(placeholder).first()).toBeVisible();
}

interface CampaignList {
  campaigns: object[];
}

/** Of an agency; every seventh is paused before. */
const SALES = manyCampaigns(45);
const TENTS = { 'Family Tents | Broad': 'ACTIVE', 'Camping Stoves | Broad': 'ACTIVE' } as const;
const AGENCY = {
  accounts: { 'Lind Outdoor': SALES, 'Lind Tents': TENTS, 'Lind Yachts': {} },
  on: [...Object.keys(SALES).slice(0, 42), 'Family Tents | Broad'],
};

/** Other tools have the campaigns off at night and at weekends; two of them are held. */
export async function hasOtherTools(v: Visit): Promise<void> {
  const texts = ['Off 11 PM to 6 AM', 'Off Mon–Thu 6 PM to 8 AM, Fri 6 PM to Mon 8 AM'];
  await v.changes('**/api/campaigns/act_*', ({ campaigns, ...list }: CampaignList) => ({
    ...list,
    campaigns: campaigns.map((one, at) => ({
      ...one,
      otherSchedule: { text: `${texts[at % 2] ?? ''} by another tool`, timeZone: 'America/Los_Angeles' },
    })),
  }));
  await v.holdsTwo({ accounts: THREE });
}

/** Dashboard, list, outages and activity. */
export const CAMPAIGNS: States = {
  'dashboard/loading-accounts': (v) => loading(v, '**/api/ad-accounts', '[data-testid=account-placeholder]'),
  'dashboard/loading-campaigns': (v) =>
    loading(v, '**/api/campaigns/*', '[data-testid=campaign-placeholder]'),
  'dashboard/no-accounts': seenBy({ accounts: {} }, '/', /No ad account found on Meta/),
  'dashboard/no-campaigns': seenBy(
    { accounts: { 'Lind Outdoor': {} } },
    '/',
    'No campaigns found for this account',
  ),
  'dashboard/before-setup': seenBy({ setup: null }, '/', 'Account Setup Required'),
  'dashboard/before-choosing': seenBy({}, '/', 'Choose campaigns to protect'),
  'dashboard/turning-on-for-all': async (v) => {
    await v.as();
    await v.opensCampaigns();
    await v.presses('Turn on for all active campaigns');
    await v.sees(/^3 campaigns in 1 ad account/);
  },
  'dashboard/all-quiet': seenBy({ on: [SHOES, JACKETS, GIFTS] }, '/', '2 of 3 protected'),
  'dashboard/all-protected': seenBy(
    { accounts: { 'Lind Outdoor': { [SHOES]: 'ACTIVE', [JACKETS]: 'ACTIVE' } }, on: [SHOES, JACKETS] },
    '/',
    'Both running campaigns are protected',
  ),
  'dashboard/none-running': seenBy(
    { accounts: { 'Lind Outdoor': { [SHOES]: 'PAUSED' } }, on: [SHOES] },
    '/',
    'None of your campaigns is running',
  ),
  'dashboard/agency': async (v) => {
    await v.as(AGENCY);
    await v.opensCampaigns();
    await v.sees('37 of 41 running campaigns are protected');
  },
  'dashboard/pause-all-question': async (v) => {
    await v.as({ on: [SHOES, JACKETS] });
    await v.opensCampaigns();
    await v.presses('Pause all now');
    await v.sees(/^This pauses 2 campaigns/);
  },
  'dashboard/paused-all': async (v) => {
    await v.as({ on: [SHOES, JACKETS] });
    const until = new Date(Date.now() + DAY_MS).toISOString();
    await v.over.post('/api/pause-all', { until });
    await v.opensCampaigns();
    await v.sees('2 campaigns paused with “Pause all now”.');
  },
  'dashboard/long-names': seenBy({ accounts: LONG }, '/', /^Autumn Winter Collection/),
  'dashboard/three-accounts': async (v) => {
    await v.holdsTwo({ accounts: THREE });
    await v.opensCampaigns();
  },
  'dashboard/account-without-delivery': async (v) => {
    const reasons = { 'Lind Outdoor': 'payment_overdue', 'Lind Yachts': 'closed' };
    await v.changes('**/api/ad-accounts', ({ adAccounts }: { adAccounts: { name: string }[] }) => ({
      adAccounts: adAccounts.map((one) => ({
        ...one,
        noDelivery: new Map(Object.entries(reasons)).get(one.name),
      })),
    }));
    await v.changes('**/api/user/status', ({ status }: { status: { heldAccounts?: object[] } }) => ({
      status: {
        ...status,
        heldAccounts: status.heldAccounts?.map((one) => ({ ...one, deliversNothing: true })),
      },
    }));
    await v.holdsTwo({ accounts: THREE });
    await v.opensCampaigns();
    await v.sees('Not delivering: a payment is overdue.');
    await v.sees('0 of 1 paused · 2 more, not delivering');
  },
  'dashboard/many-accounts-listed@phone': async (v) => {
    await v.as({ accounts: TWELVE });
    await v.opensCampaigns();
    await v.page.getByRole('combobox', { name: 'Ad account' }).click();
    await expect(v.page.getByRole('option', { name: /^Client 1 · / })).toBeVisible();
  },
  'dashboard/asked-off-while-held': async (v) => {
    await v.holdsTwo();
    await v.opensCampaigns();
    await v.page.getByRole('switch', { name: SHOES }).click();
    await v.sees('SmartPause paused this campaign.');
  },
  'dashboard/paused-with-undo': async (v) => {
    await v.keepsTextInPlace();
    await v.as();
    await v.opensCampaigns();
    await v.presses(`More for ${SHOES}`);
    await v.presses(`Manual Pause ${SHOES}`);
    await v.sees('Paused 1 campaign.');
  },
  'dashboard/why-not-manually': async (v) => {
    await v.as({ on: [SHOES] });
    await v.opensCampaigns();
    await v.presses(`More for ${SHOES}`);
    await v.sees('Turn SmartPause off to pause or resume manually');
  },

  'list/sorted': seenBy(many(10), '/?sort=-budget', '10 campaigns'),
  'list/filtered': seenBy(many(40), '/?filter=unprotected', /\d+ of 40 campaigns/),
  'list/nothing-found': async (v) => {
    await v.as(many(40));
    await v.opensCampaigns();
    await v.page.getByLabel('Search campaigns').fill('unheard-of');
    await v.sees('No campaign matches “unheard-of”');
  },
  'list/last-known': async (v) => {
    const lastKnown = () => ({ at: new Date(Date.now() - 180_000).toISOString(), because: 'no_answer' });
    await v.changes('**/api/campaigns/*', (list: CampaignList) => ({ ...list, lastKnown: lastKnown() }));
    await v.as(many(10));
    await v.opensCampaigns();
    await v.sees('Showing data from 3 minutes ago.');
  },
  'list/same-names': async (v) => {
    await v.changes('**/api/campaigns/*', ({ campaigns, ...list }: CampaignList) => ({
      ...list,
      campaigns: campaigns.map((one, at) => ({ ...one, id: `12021000000000000${at}`, name: SHOES })),
    }));
    await v.holdsTwo({ accounts: THREE });
    await v.opensCampaigns();
  },
  'list/all-accounts': async (v) => {
    await v.holdsTwo({ accounts: THREE });
    await v.opens('/?account=all');
    await v.sees(/^All 4$/);
  },
  'list/other-tools': async (v) => {
    await hasOtherTools(v);
    await v.opensCampaigns();
    await v.sees('Off 11 PM to 6 AM by another tool');
  },
  'list/selected': selectsAll,
  'list/turning-on': async (v) => {
    await selectsAll(v);
    await v.holdsBack('**/api/campaign-changes');
    await v.presses(/^Turn SmartPause on/);
    await v.sees('0 of 10');
  },
  'list/failed': async (v) => {
    await selectsAll(v);
    await v.page.route('**/api/campaign-changes', (route) => route.fulfill({ status: 500 }));
    await v.presses(/^Turn SmartPause on/);
    await v.sees('Couldn’t turn on SmartPause for 10 campaigns.');
  },

  'outage/matched': async (v) => {
    await v.holdsTwo();
    await v.opensCampaigns();
    await v.sees('SmartPause Activated - Threshold Matched');
    await v.sees('SmartPause Active');
  },
  'outage/matched-nothing-protected': async (v) => {
    await v.as();
    await v.world.reports('High disruptions');
    await v.opensCampaigns();
    await v.sees('Nothing is protected in this disruption');
  },
  'outage/agency': async (v) => {
    await v.as(AGENCY);
    await v.world.reports('High disruptions');
    await v.opensCampaigns();
    await v.sees('37 campaigns paused in 2 accounts.');
    await v.sees('still running');
  },
  'outage/account-to-confirm': async (v) => {
    await v.as({ on: [SHOES] });
    await v.world.graph.fault({ kind: 'error', code: 368, times: 0, method: 'POST', user: v.id });
    await v.world.reports('High disruptions');
    await v.opensCampaigns();
    await v.sees('Not protected: Lind Outdoor');
  },
  'outage/refused-resume': async (v) => {
    await refusedResume(v);
    await v.sees('Meta refuses to resume it');
  },
  'outage/refused-pause': async (v) => {
    await v.as({ on: [SHOES] });
    await v.isRefused();
    await v.world.reports('High disruptions');
    await v.opensCampaigns();
    await v.sees('Meta refuses to pause 1 campaign');
  },
  'outage/refused-while-suspended': async (v) => {
    await refusedResume(v);
    await v.world.graph.post('/app', { blocked: true });
    await v.world.advance(61_000);
    await v.sees(/own connection to Meta is suspended/);
    await v.opensCampaigns();
    await v.sees('Meta refuses to resume it');
  },
  'outage/not-resumed': notResumed,
  'outage/limit-of-app': async (v) => {
    // The limit itself would last into the next test.
    const late = () => ({ resumeAt: new Date(Date.now() - 60_000).toISOString() });
    await v.changes('**/api/user/status', ({ status }: { status: { heldAccounts?: object[] } }) => ({
      status: {
        ...{ ...status, ...late() },
        heldAccounts: status.heldAccounts?.map((one) => ({ ...one, ...late(), delayedBy: 'app_limit' })),
      },
    }));
    await v.holdsTwo(IN_TWO_HOURS);
    await v.world.reports('Resolved');
    await v.opens('/');
    await v.sees(/SmartPause’s own limit at Meta/);
  },
  'outage/below-threshold': async (v) => {
    await v.as({ on: [SHOES] });
    await v.world.reports('Low disruptions');
    await v.opensCampaigns();
    await v.sees('Meta Services Disruption Detected');
  },
  'outage/resume-scheduled': async (v) => {
    await v.holdsTwo(IN_TWO_HOURS);
    await v.world.reports('Resolved');
    await v.opensCampaigns();
    await v.sees('SmartPause Resume Scheduled');
  },
  'outage/resume-delayed': async (v) => {
    await v.holdsTwo(IN_TWO_HOURS);
    await v.world.graph.post('/tokens/invalidate', { userId: v.id });
    await v.world.reports('Low disruptions');
    await v.opensCampaigns();
    await v.sees(/The 2 paused ones wait for your login\./);
  },
  'outage/unknown': async (v) => {
    await v.as({ on: [SHOES] });
    await v.world.status.fault({ kind: 'unknown_phrase', times: 0 });
    await v.opensCampaigns();
    await v.sees('Meta Status Unknown');
  },
  'outage/trial-ends-soon': async (v) => {
    await v.world.stripe.setClock(-28 * DAY_MS);
    await v.as({ plan: 'yearly', on: [SHOES] });
    await v.opensCampaigns();
    await v.sees(/Your trial ends soon/);
  },
  'outage/lapsed-campaigns': async (v) => {
    await v.holdsTwo();
    await v.subscriptionBecomes('unpaid');
    await v.opens('/');
    await v.page.getByRole('link', { name: 'See them, or resume them yourself' }).click();
    await v.sees('New outages won’t pause your campaigns');
  },

  'activity/empty': async (v) => {
    await v.breaks('**/api/outages', 200, { outages: [], next: null });
    await v.as();
    await v.opens('/activity');
    await v.sees('No outages yet');
  },
  'activity/list': async (v) => {
    await v.hadOutage();
    await v.opens('/activity');
    await v.sees(/paused within/);
    await v.sees(/^Resumed 2 campaigns/);
  },
  'activity/outage': async (v) => {
    await v.opens(await v.hadOutage());
    await v.sees('By daily budget');
  },
  'activity/outage-refused': async (v) => {
    await v.holdsTwo();
    await v.isRefused();
    await v.world.reports('Resolved');
    await v.opens('/activity/latest');
    await v.sees(/^Meta refuses to resume it/);
  },
  'activity/outage-filtered': async (v) => {
    await v.opens(`${await v.hadOutage()}?result=not_paused`);
    await v.sees('SmartPause was off for it.');
  },
  'activity/outage-not-found': seenBy({}, '/activity/999999999', 'This outage isn’t in your history'),
};
