import type { Locator, Page } from '@playwright/test';
import { signIn } from '../scripts/simulator-clients/user.ts';
import { fullTime } from '#core/new-york.ts';
import { expect, test as base } from './support/fixtures.ts';
import { focusedName, tabTo } from './support/keyboard.ts';
import { User } from './support/user.ts';
import { BOSS } from './support/world.ts';

const WARNING = 'Production Environment: affects live users';

const part = (page: Page, name: string): Locator => page.getByRole('region', { name });

/** The value beside a label in the list of facts. */
const fact = (page: Page, name: string): Locator =>
  part(page, 'System status').locator('dt', { hasText: name }).locator('xpath=following-sibling::dd[1]');

/** An admin on the admin page. */
const test = base.extend<{ boss: User }>({
  boss: async ({ page, world, faults: _ }, use) => {
    const boss = new User(page, world, BOSS);
    await boss.signsIn('/admin');
    // Until the environment is known, every action asks for confirmation.
    await expect(fact(page, 'Overridden')).toBeVisible();
    await use(boss);
  },
});

/** What early warnings would have done; nothing. */
const RECORDED = {
  chosen: { pause: 12, notify: 1 },
  delivery: { accounts: 40, compared: 31 },
  ...{ hasControls: true, canary: null, votesAMinute: 64, states: [] },
  recorded: { suspicions: 0, pauses: 0 },
  shortFailures: { count: 0, medianMinutes: 0, longestMinutes: 0 },
};

/** On a slow machine the dialog has not yet taken the focus when the user presses Escape. */
const ESCAPE_AT_ONCE = `new Promise((resolve) => new MutationObserver((_, observer) => {
  if (document.querySelector('[role=dialog]') === null) return;
  observer.disconnect();
  document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  resolve();
}).observe(document.body, { childList: true, subtree: true }))`;

/** A level for all users, with the reason that the page asks for. */
async function forces(boss: User, label: string): Promise<void> {
  await boss.presses(label);
  await boss.page.getByLabel('Reason').fill('Meta’s page is late');
  await boss.chooses(label);
}

async function reads(page: Page, facts: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(facts)) {
    // The second line is the time of the change.
    await expect(fact(page, name)).toHaveText(new RegExp(`^${value}`));
  }
}

test('[ROUTE-07, HEAD-04, BANNER-01] only an admin can open it; other users go home and see why', async ({
  nora,
  page,
  world,
}) => {
  await nora.signsIn();
  await nora.opens('/admin');
  await nora.sees('Admin Access Required');
  expect(new URL(page.url()).pathname).toBe('/');
  const link = page.getByRole('link', { name: 'Admin', exact: true });
  await expect(link).toHaveCount(0);
  await new User(page, world, BOSS).signsIn();
  await link.click();
  await page.waitForURL(`${world.url}/admin`);
  await expect(page).toHaveTitle('Admin · SmartPause');
});

test('[ADMIN-08] a user who loses the role while the page is open goes home @before-release', async ({
  boss,
  page,
}) => {
  await page.route('**/api/me', async (route) => {
    const answer = await route.fetch();
    const { user } = (await answer.json()) as { user: object };
    await route.fulfill({ response: answer, json: { user: { ...user, roles: [] } } });
  });
  const refused = { error: { code: 'ADMIN_REQUIRED', message: 'Only for administrators.' } };
  await page.route('**/api/admin/force-low', (route) => route.fulfill({ status: 403, json: refused }));
  await forces(boss, 'Force Low');
  await boss.sees('Admin Access Required');
});

test('[FR-15] System health names a failing part with its time, until it works again', async ({
  boss: _,
  page,
  world,
}) => {
  const health = part(page, 'System health');
  const row = health.getByRole('listitem').filter({ hasText: 'Meta’s status page' });
  /** The card reads every 15 s, and the server keeps its numbers for 5 s. */
  const reloadsAt = async (level: 'UP' | 'UNKNOWN') => {
    await world.reads(level);
    await world.advance(6000);
    await page.reload();
  };
  await reloadsAt('UP');
  await expect(health.getByRole('status')).toHaveText('All systems normal');
  await expect(health.getByRole('listitem')).toHaveCount(0);
  await world.status.fault({ kind: 'unknown_phrase', times: 0 });
  await reloadsAt('UNKNOWN');
  await expect(health.getByRole('status').getByText(/^1 of 13 parts needs attention/)).toBeVisible();
  await expect(health.getByRole('listitem')).toHaveCount(1);
  await expect(row.getByText(/^last read (just now|\d+ minutes? ago)$/)).toBeVisible();
  await expect(row.getByText(/Not found or not understood: Ads Delivery\./)).toBeVisible();
  await world.status.ask('DELETE', '/faults');
  await reloadsAt('UP');
  await expect(health.getByRole('status')).toHaveText('All systems normal');
});

test('[ADMIN-01, ADMIN-02, FMT-01, FMT-02] it shows counts and the recent activity with user and time', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE' } });
  await nora.turnsSmartPause('on', 'Shoes');
  const boss = new User(page, world, BOSS);
  await boss.signsIn('/admin');
  for (const [label, count] of [
    ['Total users', '2'],
    ['Active users', '1'],
    ['SmartPause campaigns', '1'],
  ] as const) {
    const card = part(page, 'System statistics').getByText(label, { exact: true }).locator('..');
    await expect(card.getByText(count, { exact: true })).toBeVisible();
  }
  const line = part(page, 'Recent activity')
    .getByRole('listitem')
    .filter({ hasText: 'SmartPause was turned on for “Shoes” in ' });
  await expect(line).toContainText(nora.name);
  for (const text of [
    'Setting',
    /^[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d\d [AP]M EST$/,
    /^(just now|\d+ minutes? ago)$/,
  ])
    await expect(line.getByText(text, { exact: true })).toBeVisible();
});

test('[UX-23, ADMIN-03, ADMIN-05, ADMIN-07, API-20] an override by keyboard asks first, names whom it touches and takes a reason', async ({
  boss,
  page,
  world,
}) => {
  await world.reports('Low disruptions');
  await reads(page, { 'True Meta status': 'Low disruption' });
  const question = page.getByRole('dialog');
  const notice = page.getByRole('main').getByRole('note');
  for (const [label, level] of [
    ['Force Up', 'Up'],
    ['Force High', 'High disruption'],
  ] as const) {
    await page.getByRole('heading', { name: 'Admin', level: 1 }).focus();
    await tabTo(page, label);
    await page.keyboard.press('Enter');
    await expect(question.getByText('No campaign is affected right now.')).toBeVisible();
    await question.getByRole('button', { name: label }).click();
    await expect(question.getByText('Say why, for the other admins.')).toBeVisible();
    await question.getByLabel('Reason').fill('Meta’s page is late');
    await tabTo(page, label);
    await page.keyboard.press('Enter');
    await boss.sees(`The status is ${level} for all users until you clear the override.`);
    await expect(question).toBeHidden();
    await expect(page.getByText(WARNING)).toHaveCount(0);
    await reads(page, {
      'Effective status': level,
      'True Meta status': 'Low disruption',
      'Admin directive': label,
      Overridden: 'Yes',
    });
    // The header reads the status at once, not at its next poll.
    await expect(boss.link(`Meta ad services: ${level}`)).toBeVisible();
    await expect(boss.button(label)).toHaveAttribute('aria-pressed', 'true');
    await expect(notice.getByText(`has set Meta’s status to ${level} for all users`)).toBeVisible();
    await expect.poll(() => focusedName(page)).toBe(label);
  }
  // The server keeps the numbers of System health for 5 s.
  await world.advance(6000);
  await page.reload();
  await expect(notice.getByText(`${BOSS.name} has set Meta’s status to High disruption`)).toBeVisible();
  await expect(notice.getByText('Meta’s page is late')).toBeVisible();
  await boss.button('Clear').click();
  await boss.chooses('Clear');
  await expect(notice).toHaveCount(0);
  await boss.sees('The override is cleared.');
  await reads(page, {
    'Admin directive': 'None',
    Overridden: 'No',
    'Effective status': 'Low disruption',
  });
  await expect(fact(page, 'Meta’s message').getByText(/low disruptions/i)).toBeVisible();
  const lines = part(page, 'Recent activity').getByRole('listitem');
  await expect(
    lines.filter({
      hasText: /Status.* set Meta’s status to High disruption for all users: Meta’s page is late\./,
    }),
  ).toBeVisible();
  await expect(
    lines.filter({ hasText: `${BOSS.name} ended the override of Meta’s status.` }).first(),
  ).toBeVisible();
});

test('[ADMIN-03] an override is not shown as a statement by Meta', async ({ nora, page, world }) => {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE' } });
  await nora.turnsSmartPause('on', 'Shoes');
  const over = await signIn(world.url, BOSS.id);
  await over.post('/api/admin/force-high');
  await nora.sees('SmartPause Activated - Threshold Matched');
  await nora.sees(/^last checked .* · set by the SmartPause team$/);
  await expect(page.getByText('Meta says')).toHaveCount(0);
  await nora.link('Meta ad services: High disruption').hover();
  const tooltip = page.getByRole('tooltip');
  await expect(tooltip.getByText('Status set by the SmartPause team: high disruption')).toBeVisible();
  await over.post('/api/admin/force-up');
  await nora.sees(/^Set to Up by the SmartPause team\s· since /);
  await over.post('/api/admin/clear');
  await nora.sees(/^Meta ad services are up · since /);
  await world.reports('Major disruptions');
  await nora.sees(/ · Meta says “Major disruptions”$/);
});

test('[ADMIN-04, SET-11] a subscription of ten years blocks the deletion until it is cleared', async ({
  boss,
  page,
}) => {
  const own = part(page, 'Subscription management');
  await expect(own.getByText('No subscription.')).toBeVisible();
  await boss.presses('Grant 10-year subscription');
  await expect(own.getByText('Yearly plan, granted free of charge')).toBeVisible();
  await expect(own.getByText('Active', { exact: true })).toBeVisible();
  const year = Number(/\d{4}/.exec(fullTime(Date.now()))?.[0]);
  await expect(own.getByText(String(year + 10))).toBeVisible();
  await page.getByRole('link', { name: 'SmartPause home' }).click();
  await expect(page.getByRole('heading', { name: 'Campaigns', level: 1 })).toBeVisible();
  await boss.opens('/settings/account');
  await boss.sees(/^Account deletion is disabled while you have an active subscription\./);
  await expect(boss.button('Delete account')).toBeDisabled();
  await page.getByRole('link', { name: 'clear it in Admin' }).click();
  await expect(fact(page, 'Overridden')).toBeVisible();
  await boss.presses('Clear subscription data');
  await expect(own.getByText('No subscription.')).toBeVisible();
  await page.getByRole('link', { name: 'SmartPause home' }).click();
  await boss.sees('Get Started - Monthly');
  await boss.opens('/settings/account');
  await expect(boss.button('Delete account')).toBeVisible();
  await expect(boss.button('Delete account')).toBeEnabled();
});

test('[ADMIN-07] a failed load is shown until Retry works; placeholders appear before the data @before-release', async ({
  boss,
  page,
}) => {
  // Live updates would load it before the press.
  await page.route('**/api/events', () => {});
  let goesOn = Promise.withResolvers<undefined>();
  await page.route('**/api/admin/{stats,status,recent-activity}', async (route) => {
    await goesOn.promise;
    await route.fulfill({ status: 400 });
  });
  await boss.opens('/admin');
  for (const name of ['System status', 'Recent activity'])
    await expect(part(page, name).getByText('Loading')).toBeAttached();
  const failed = page.getByRole('alert').filter({ hasText: 'Failed to load admin data' });
  goesOn.resolve(undefined);
  await expect(failed).toBeVisible();
  // Live users may be affected: the environment is not known.
  await boss.presses('Force High');
  await expect(page.getByText(WARNING)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText(WARNING)).toBeHidden();
  await tabTo(page, 'Retry');
  goesOn = Promise.withResolvers();
  await page.keyboard.press('Enter');
  const busy = failed.locator('[aria-busy=true]');
  await expect(busy).toBeVisible();
  await expect.poll(() => focusedName(page)).toBe('Retry');
  goesOn.resolve(undefined);
  await expect(busy).toBeHidden();
  await page.unroute('**/api/admin/{stats,status,recent-activity}');
  await page.keyboard.press('Enter');
  await expect(failed).toBeHidden();
  await expect(part(page, 'Recent activity').getByRole('listitem').first()).toBeVisible();
  await page.keyboard.press('Tab');
  await expect.poll(() => focusedName(page)).toBe('Force Up');
});

test('[ADMIN-06] each kind of action asks for confirmation, also by keyboard @before-release', async ({
  boss,
  page,
}) => {
  await page.route('**/api/admin/status', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      response: answer,
      json: { ...((await answer.json()) as object), isProductionLike: true },
    });
  });
  await page.reload();
  await expect(fact(page, 'Overridden')).toBeVisible();
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
  });
  const question = page.getByRole('dialog');
  for (const [label, action] of [
    ['Force Up', 'force-up'],
    ['Clear', 'clear'],
    ['Clear subscription data', 'clear-stripe-data'],
  ] as const) {
    await boss.button(label).click();
    await expect(question.getByText(WARNING)).toBeVisible();
    if (label === 'Force Up') await question.getByLabel('Reason').fill('A test');
    expect(sent).toEqual([]);
    await boss.chooses(label);
    await expect(question).toBeHidden();
    expect(sent.splice(0)).toEqual([`/api/admin/${action}`]);
  }
  await boss.sees('Your subscription data is cleared.');
  await tabTo(page, 'Force High');
  const isRefused = page.evaluate(ESCAPE_AT_ONCE);
  await page.keyboard.press('Enter');
  await isRefused;
  await expect(question).toHaveCount(0);
  await expect.poll(() => focusedName(page)).toBe('Force High');
  expect(sent).toEqual([]);
});

test('[EARLY-03] early warnings act once an admin has read whom it concerns and confirmed it', async ({
  boss,
  page,
}) => {
  let actingSince: string | null = null;
  await page.route('**/api/admin/early-warning', async (route) => {
    if (route.request().method() === 'POST') {
      const { acts } = route.request().postDataJSON() as { acts: boolean };
      actingSince = acts ? new Date().toISOString() : null;
    }
    await route.fulfill({ json: { ...RECORDED, actingSince } });
  });
  await page.reload();
  const control = page.getByRole('switch', { name: 'Let early warnings act' });
  const dialog = page.getByRole('dialog');
  await expect(control).not.toBeChecked();
  await control.click();
  await expect(dialog.getByText(/^12 users chose to be paused, 1 to be notified only\./)).toBeVisible();
  await boss.chooses('Cancel');
  await expect(dialog).toBeHidden();
  expect(actingSince).toBeNull();

  await control.click();
  await boss.chooses('Let them act');
  await expect(control).toBeChecked();
  await boss.sees(/^On since/);
  await control.click();
  await expect(dialog.getByText(/^A warning that goes on ends at once/)).toBeVisible();
  await boss.chooses('Stop them');
  await expect(control).not.toBeChecked();
});
