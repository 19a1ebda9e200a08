import { DAY_MS } from '../../scripts/simulator-clients/stripe.ts';
import { admin, settings } from './account.ts';
import type { States, Visit } from './visit.ts';
import { GIFTS, JACKETS, SHOES } from './visit.ts';

const before = (minutes: number) => Date.now() - minutes * 60_000;
const clock = new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone: 'America/New_York' });
const clockTime = (instant: number) => `${clock.format(instant)} EST`;
const utc = new Intl.DateTimeFormat('en-US', {
  ...{ dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23', timeZone: 'UTC' },
});
export const FAILS = `Since ${clockTime(before(25))}, reading campaigns and changing campaigns fail for 31 of 118 businesses.`;
export const UNUSUAL = `Since ${clockTime(before(60))}, 14 of 31 ad accounts deliver far less than usual.`;
const ON = { on: [SHOES, JACKETS, GIFTS] };

/** SmartPause suspects an outage for a quarter of an hour; Meta's page doesn't. */
export async function suspects(v: Visit, pauses: boolean): Promise<void> {
  const since = new Date(before(15)).toISOString();
  const warning = { since, pauses, evidence: pauses ? `${FAILS} ${UNUSUAL}` : FAILS };
  await v.changes('**/api/status', (body: object) => ({ ...body, warning }));
}

/** With more of what the page knows of the user. */
async function chooses(
  v: Visit,
  earlyWarning: 'official' | 'pause' | 'notify',
  more: object = {},
): Promise<void> {
  await v.changes('**/api/user/status', ({ status }: { status: object }) => ({
    status: { ...status, earlyWarning, ...more },
  }));
}

/** What it means for a user with this choice. */
async function warned(v: Visit, choice: 'official' | 'pause' | 'notify', words: string): Promise<void> {
  await suspects(v, false);
  await chooses(v, choice);
  await v.as(ON);
  await v.opensCampaigns();
  await v.sees(new RegExp(words));
  await v.sees(/^Meta’s page still says up/);
}

interface CampaignList {
  campaigns: { held: boolean }[];
}

/** An early warning has paused two campaigns. */
export async function pausedEarly(v: Visit, more: object = {}): Promise<void> {
  await v.as(ON);
  await v.over.post('/api/pause-all', { until: null });
  await chooses(v, 'pause', { pausedAll: undefined, pausedEarly: 2, ...more });
  await v.changes('**/api/campaigns/act_*', ({ campaigns, ...list }: CampaignList) => ({
    ...list,
    campaigns: campaigns.map((one) => ({ ...one, isPausedAll: undefined, isPausedEarly: one.held })),
  }));
  await v.opensCampaigns();
  await v.sees(/^Paused on an early warning/);
}

const detected = (
  source: string,
  state: string,
  minutesAgo: number,
  lasted: number | null,
  evidence: string,
) => {
  const since = Date.now() - minutesAgo * 60_000;
  const until = lasted === null ? null : new Date(since + lasted * 60_000).toISOString();
  return { source, state, since: new Date(since).toISOString(), until, evidence };
};

/** The admin page with the record of an outage. */
async function earlyWarning(v: Visit, acts: boolean): Promise<void> {
  const states = [
    detected('early_warning', 'PROBABLE', 9, null, `${FAILS} ${UNUSUAL}`),
    detected('early_warning', 'SUSPECTED', 14, 5, FAILS),
    detected('delivery', 'SUSPECTED', 9, null, UNUSUAL),
    detected('calls', 'SUSPECTED', 14, null, FAILS),
    detected(
      ...(['canary', 'WATCH', 19, 5] as const),
      `Since ${clockTime(before(30))}, reading campaigns and reading spend fail on SmartPause’s own ad account.`,
    ),
    detected(
      ...(['calls', 'UNKNOWN', 3000, 7] as const),
      'Hosts outside Meta don’t answer either: the fault is in our own network.',
    ),
  ];
  await v.breaks('**/api/admin/early-warning', 200, {
    actingSince: acts ? new Date(Date.now() - 3 * DAY_MS).toISOString() : null,
    ...{ chosen: { pause: 12, notify: 5 }, delivery: { accounts: 40, compared: 31 }, hasControls: true },
    canary: { at: new Date().toISOString(), failures: 9, failed: ['error 2', 'HTTP 503 without JSON'] },
    votesAMinute: 64,
    states: states.map((one) => ({ ...one, acts })),
    recorded: { suspicions: 13, pauses: 2 },
    shortFailures: { count: 12, medianMinutes: 2, longestMinutes: 6 },
  });
  await admin(v);
  await v.sees(/31 of 118 businesses/);
}

/** Early warnings: the choice, the banners, the public page, and the admin page. */
export const EARLY_WARNING: States = {
  'public/status-suspicion': async (v) => {
    // As the server writes it: public-status.test.ts.
    const card = `<section class="card note"><h2>SmartPause suspects an outage</h2><p>${FAILS} ${UNUSUAL}</p><p class="dim">Suspected since ${utc.format(before(15))} UTC (${clockTime(before(15))}). This isn’t from Meta, and some suspicions are false.</p></section>`;
    await v.page.route('**/status', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('<div class="card">', `${card}$&`);
      await route.fulfill({ response, body });
    });
    await v.opens('/status');
    await v.sees('SmartPause suspects an outage');
  },
  'settings/early-warning': async (v) => {
    await chooses(v, 'pause', { earlyWarningsAct: true });
    await settings(v);
    await v.sees(/Some will be false/);
  },
  'settings/early-warning-pauses-on-save': async (v) => {
    await suspects(v, true);
    await chooses(v, 'official', { earlyWarningsAct: true });
    await settings(v);
    await v.page.getByRole('radio', { name: 'Early warnings pause as well' }).check();
    await v.sees(/^An early warning is on: when you save/);
  },
  'settings/early-warning-recorded': async (v) => {
    await chooses(v, 'pause');
    await settings(v);
    await v.sees(/only recorded/);
  },
  'dashboard/early-warning-official': (v) => warned(v, 'official', 'you chose the official status only'),
  'dashboard/early-warning-notify': (v) => warned(v, 'notify', 'you chose to be notified only'),
  'dashboard/early-warning-suspected': (v) => warned(v, 'pause', 'failing calls alone never pause'),
  'dashboard/early-warning-paused': async (v) => {
    await suspects(v, true);
    await pausedEarly(v);
    await v.sees(/SmartPause has paused 2 campaigns\./);
  },
  'dashboard/early-warning-pauses-no-more': async (v) => {
    await suspects(v, false);
    await pausedEarly(v);
    await v.sees(/It pauses no more campaigns/);
  },
  'dashboard/early-warning-confirmed': async (v) => {
    await suspects(v, true);
    await chooses(v, 'pause');
    await v.holdsTwo();
    await v.opensCampaigns();
    await v.sees(/^Early warning/);
  },
  'dashboard/early-warning-over': async (v) => {
    const resumeSettings = { mode: 'delay', delay: { value: 15, unit: 'minutes' } };
    const resumeAt = new Date(Date.now() + 12 * 60_000).toISOString();
    await pausedEarly(v, { resumeAt, resumeSettings });
    await v.sees(/An early warning paused them/);
  },
  'admin/early-warning': (v) => earlyWarning(v, false),
  'admin/early-warning-acting': (v) => earlyWarning(v, true),
  'admin/early-warning-asked': async (v) => {
    await earlyWarning(v, false);
    await v.page.getByRole('switch', { name: 'Let early warnings act' }).click();
    await v.sees(/^12 users chose.*can pause their campaigns at once\.$/);
  },
};
