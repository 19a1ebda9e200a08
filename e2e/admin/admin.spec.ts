import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { PHONE } from '../../scripts/browser/browser.ts';
import { asNewUser, asVisitor } from '../support/as-user.ts';
import { asTheBoss, fact, part } from './boss.ts';
import { BOSS, productOfThisSuite } from '../support/fixture.ts';
import { focusedName, tabTo } from '../support/keyboard.ts';

const PRODUCTION = {
  NODE_ENV: 'production',
  DEMO: '1',
  ENCRYPTION_KEY: 'a-key-for-tests-of-32-characters-or-more',
  MAIL_FROM: 'SmartPause <mail@smartpause.example>',
};
const WARNING = 'Production Environment: affects live users';

async function reads(page: Page, facts: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(facts)) {
    // The second line is the time of the change.
    const first = async () => (await fact(page, name).innerText()).split('\n')[0];
    await waitFor(`${name} to be ${value}`, async () => (await first()) === value);
  }
}

describe('the admin page', () => {
  const product = productOfThisSuite();

  test('[ROUTE-07, HEAD-04, BANNER-01] only an admin can open it; other users go home and see why', async () => {
    await asNewUser(product, async (nora, page) => {
      await nora.opens('/admin');
      await nora.sees('Admin Access Required');
      expect(new URL(page.url()).pathname).toBe('/');
      await expect.poll(() => page.getByRole('link', { name: 'Admin', exact: true }).count()).toBe(0);
    });
    await asVisitor(product, async (boss, page) => {
      await boss.signsInAs(BOSS.name);
      await page.getByRole('link', { name: 'Admin', exact: true }).click();
      await page.waitForURL(`${product.url}/admin`);
      await waitFor('the title', async () => (await page.title()) === 'Admin · SmartPause');
    });
  });

  test('[ADMIN-08] a user who loses the role while the page is open goes home', () =>
    asTheBoss(product, async (boss, page) => {
      await page.route('**/api/me', async (route) => {
        const answer = await route.fetch();
        const { user } = (await answer.json()) as { user: object };
        await route.fulfill({ response: answer, json: { user: { ...user, roles: [] } } });
      });
      const refused = { error: { code: 'ADMIN_REQUIRED', message: 'Only for administrators.' } };
      await page.route('**/api/admin/force-low', (route) => route.fulfill({ status: 403, json: refused }));
      await boss.presses('Force Low');
      await boss.sees('Admin Access Required');
    }));

  test('System health names a failing part with its time, until it works again', () =>
    asTheBoss(product, async (boss, page) => {
      const health = part(page, 'System health');
      const row = health.getByRole('listitem').filter({ hasText: 'Meta’s status page' });
      /** The card reads every 15 s. */
      const reloadsUntil = async (needsAttention: boolean) => {
        const over = await boss.overHttp();
        await waitFor(`attention: ${needsAttention}`, async () => {
          const { statusPage } = await over.get<{ statusPage: { needsAttention: boolean } }>(
            '/api/admin/system-health',
          );
          return statusPage.needsAttention === needsAttention;
        });
        await page.reload();
      };
      await health.getByRole('status').getByText('Everything works').waitFor();
      await expect.poll(() => health.getByText('Attention', { exact: true }).count()).toBe(0);
      await product.status.fault({ kind: 'unknown_phrase', times: 0 });
      await reloadsUntil(true);
      await health
        .getByRole('status')
        .getByText(/^1 of 10 parts needs attention/)
        .waitFor();
      await row.getByText('Attention', { exact: true }).waitFor();
      await row.getByText(/^Last read \d{1,2}:\d\d [AP]M EST$/).waitFor();
      await row.getByText('Not found or not understood: Ads Delivery.').waitFor();
      await product.status.ask('DELETE', '/faults');
      await reloadsUntil(false);
      await health.getByRole('status').getByText('Everything works').waitFor();
    }));

  test('System health that cannot be read says so, with Retry; a server without it hides the card', () =>
    asTheBoss(product, async (boss, page) => {
      let status = 400;
      await page.route('**/api/admin/system-health', (route) =>
        status === 200
          ? route.continue()
          : route.fulfill({ status, json: { error: { code: 'NOT_FOUND', message: '' } } }),
      );
      await page.reload();
      const health = part(page, 'System health');
      await health.getByText('System health could not be loaded.').waitFor();
      await expect.poll(() => health.getByText('Everything works').count()).toBe(0);
      status = 200;
      await health.getByRole('button', { name: 'Try again' }).click();
      await health.getByText('Everything works').waitFor();
      status = 404;
      await page.reload();
      await boss.sees('Recent activity');
      await health.waitFor({ state: 'detached' });
      await expect.poll(() => page.getByText('Failed to load admin data').count()).toBe(0);
    }));

  test('[ADMIN-01, ADMIN-02, FMT-01, FMT-02] it shows counts and the recent activity with user and time', async () => {
    const { name } = await newAdvertiser(product.graph, { Shoes: 'ACTIVE' });
    await asVisitor(product, async (nora) => {
      await nora.arrivesAs(name);
      await nora.turnsSmartPause('on', 'Shoes');
    });
    await asTheBoss(product, async (boss, page) => {
      const counts = await (await boss.overHttp()).get<Record<string, number>>('/api/admin/stats');
      expect(counts['smartPauseCampaigns']).toBeGreaterThan(0);
      for (const [label, count] of [
        ['Total users', 'totalUsers'],
        ['Active users', 'activeUsers'],
        ['SmartPause campaigns', 'smartPauseCampaigns'],
      ] as const) {
        const card = part(page, 'System statistics').getByText(label, { exact: true }).locator('..');
        await card.getByText(String(counts[count]), { exact: true }).waitFor();
      }
      const line = part(page, 'Recent activity')
        .getByRole('listitem')
        .filter({ hasText: 'SmartPause was turned on for "Shoes".' });
      await line.getByText('Setting', { exact: true }).waitFor();
      await line.getByText(name).waitFor();
      await line.getByText(/^[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d\d [AP]M EST$/).waitFor();
      await line.getByText(/^(just now|\d+ minutes? ago)$/).waitFor();
    });
  });

  test('[ADMIN-02, FMT-02] recent activity: old entries, deleted users, Show all, and the empty state', () =>
    asTheBoss(product, async (boss, page) => {
      const at = Date.now();
      const before = (ms: number) => new Date(at - ms).toISOString();
      const old = Array.from({ length: 18 }, (_, index) => ({
        id: String(index),
        type: 'login',
        message: `Advertiser logged in, ${index}.`,
        user: 'Maya Chen',
        timestamp: before(3 * 86_400_000),
      }));
      const gone = { id: '99', type: 'other', message: 'An account was deleted.', user: null };
      let activities = [
        { ...gone, timestamp: before(61 * 60_000) },
        { ...gone, id: '98', type: 'pause', message: 'Paused.', timestamp: '2026-01-09T02:47:00.000Z' },
        ...old,
      ];
      await page.route('**/api/admin/recent-activity', (route) => route.fulfill({ json: { activities } }));
      await page.reload();
      const lines = part(page, 'Recent activity').getByRole('listitem');
      await lines.first().waitFor();
      await expect
        .poll(async () => (await lines.first().innerText()).split('\n').map((text) => text.trim()))
        .toEqual(expect.arrayContaining(['Other', 'An account was deleted.', '1 hour ago']));
      await lines.first().getByText('A deleted user').waitFor();
      await lines.nth(1).getByText('Jan 8, 2026, 9:47 PM EST').waitFor();
      await lines.nth(2).getByText('3 days ago').waitFor();
      await expect.poll(() => lines.count()).toBe(12);
      await tabTo(page, 'Show all 20');
      await page.keyboard.press('Enter');
      await expect.poll(() => lines.count()).toBe(20);
      await expect.poll(() => focusedName(page)).toBe('Show fewer');
      activities = [];
      await page.reload();
      await boss.sees('No recent activity');
    }));

  test('[ADMIN-03, ADMIN-05, ADMIN-07, API-20] overrides by keyboard apply at once, without a confirmation outside production', async () => {
    await product.status.reports('Low disruptions');
    await asTheBoss(product, async (boss, page) => {
      await reads(page, { 'True Meta status': 'Low disruption' });
      for (const [label, level, directive] of [
        ['Force Up', 'Up', 'Force Up'],
        ['Force Medium', 'Medium disruption', 'Force Medium'],
        ['Force High', 'High disruption', 'Force High'],
        ['Force Low', 'Low disruption', 'Force Low'],
      ] as const) {
        await page.getByRole('heading', { name: 'Admin', level: 1 }).focus();
        await tabTo(page, label);
        await page.keyboard.press('Enter');
        await boss.sees(`The status is ${level} for all users until you clear the override.`);
        await expect.poll(() => page.getByText(WARNING).count()).toBe(0);
        await reads(page, {
          'Effective status': level,
          'True Meta status': 'Low disruption',
          'Admin directive': directive,
          Overridden: 'Yes',
        });
        // The header reads the status at once, not at its next poll.
        await boss.button(`Meta ad services: ${level}`).waitFor({ timeout: 20_000 });
        await expect.poll(() => boss.button(label).getAttribute('aria-pressed')).toBe('true');
        await expect.poll(() => focusedName(page)).toBe(label);
      }
      await boss.button('Clear').click();
      await boss.sees('The override is cleared.');
      await reads(page, {
        'Admin directive': 'None',
        Overridden: 'No',
        'Effective status': 'Low disruption',
      });
      await fact(page, 'Status message')
        .getByText(/low disruptions/i)
        .waitFor();
      const lines = part(page, 'Recent activity').getByRole('listitem');
      await lines.filter({ hasText: `${BOSS.name} overrode the platform status: FORCE_HIGH.` }).waitFor();
      await lines
        .filter({ hasText: `${BOSS.name} ended the override of the platform status.` })
        .first()
        .waitFor();
    });
  });

  test('[ADMIN-03] an override is not shown as a statement by Meta', async () => {
    const { name } = await newAdvertiser(product.graph, { Shoes: 'ACTIVE' });
    await asTheBoss(product, (boss) =>
      asVisitor(product, async (nora, page) => {
        await nora.arrivesAs(name);
        await nora.turnsSmartPause('on', 'Shoes');
        const over = await boss.overHttp();
        await over.post('/api/admin/force-high');
        await nora.sees('SmartPause Activated - Threshold Matched');
        await nora.sees(/^High disruption since .* · set by the SmartPause team$/);
        await expect.poll(() => page.getByText('Meta says').count()).toBe(0);
        await nora.button('Meta ad services: High disruption').hover();
        const tooltip = page.getByRole('tooltip');
        await tooltip.getByText('Status set by the SmartPause team: high disruption').waitFor();
        await over.post('/api/admin/force-up');
        await nora.sees(/^Set to Up by the SmartPause team · since /);
        await over.post('/api/admin/clear');
        await nora.sees(/^Meta ad services are up · since /);
        await product.status.reports('Major disruptions');
        await nora.sees(/ · Meta says “Major disruptions”$/);
      }),
    );
  });

  test('[ADMIN-04, SET-11] a subscription of ten years blocks the deletion until it is cleared', () =>
    asTheBoss(product, async (boss, page) => {
      const own = part(page, 'Subscription management');
      await own.getByText('You have no subscription.').waitFor();
      await boss.presses('Grant 10-year subscription');
      await own.getByText('Yearly plan, granted free of charge').waitFor();
      await own.getByText('Active', { exact: true }).waitFor();
      await own.getByText(String(new Date().getUTCFullYear() + 10)).waitFor();
      await page.getByRole('link', { name: 'SmartPause home' }).click();
      await page.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor();
      await boss.opens('/settings');
      await boss.sees(/^Account deletion is disabled while you have an active subscription\./);
      await expect.poll(() => boss.button('Delete account').isDisabled()).toBe(true);
      await page.getByRole('link', { name: 'clear it in Admin' }).click();
      await fact(page, 'Overridden').waitFor();
      await boss.presses('Clear subscription data');
      await own.getByText('You have no subscription.').waitFor();
      await page.getByRole('link', { name: 'SmartPause home' }).click();
      await boss.sees('Get Started - Monthly');
      await boss.opens('/settings');
      await boss.button('Delete account').waitFor();
      await expect.poll(() => boss.button('Delete account').isEnabled()).toBe(true);
    }));

  test('[ADMIN-07] a failed load is shown until Retry works; placeholders appear before the data', () =>
    asTheBoss(product, async (boss, page) => {
      await page.route('**/api/admin/{stats,status,recent-activity}', (route) =>
        route.fulfill({ status: 500 }),
      );
      await page.reload();
      await page.getByTestId('status-placeholder').first().waitFor();
      await page.getByTestId('activity-placeholder').first().waitFor();
      const failed = page.getByRole('alert').filter({ hasText: 'Failed to load admin data' });
      await failed.waitFor();
      await tabTo(page, 'Retry');
      await page.keyboard.press('Enter');
      const busy = failed.locator('[aria-busy=true]');
      await busy.waitFor();
      await expect.poll(() => focusedName(page)).toBe('Retry');
      await busy.waitFor({ state: 'detached' });
      await page.unroute('**/api/admin/{stats,status,recent-activity}');
      await page.keyboard.press('Enter');
      await failed.waitFor({ state: 'hidden' });
      await part(page, 'Recent activity').getByRole('listitem').first().waitFor();
      await page.keyboard.press('Tab');
      await expect.poll(() => focusedName(page)).toBe('Force Up');
    }));

  test('[HEAD-04, HEAD-08] the phone menu leads to the page, and it does not scroll sideways', () =>
    asTheBoss(
      product,
      async (boss, page) => {
        await boss.opens('/');
        await boss.presses(/^Open menu/);
        await page.getByRole('dialog').getByRole('link', { name: 'Admin' }).click();
        await waitFor('the focus', async () => (await focusedName(page)) === 'Admin');
        await part(page, 'Recent activity').getByRole('listitem').first().waitFor();
        await boss.presses('Force Medium');
        await reads(page, { 'Effective status': 'Medium disruption' });
        for (const width of [PHONE.width, 800, 1000]) {
          await page.setViewportSize({ ...PHONE, width });
          await expect
            .poll(() => page.evaluate('document.documentElement.scrollWidth'), { message: String(width) })
            .toBe(width);
        }
      },
      { viewport: PHONE },
    ));
});

describe('the admin page in production', () => {
  const product = productOfThisSuite(PRODUCTION);

  test('[ADMIN-06] each action asks for confirmation, also by keyboard', () =>
    asTheBoss(product, async (boss, page) => {
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
      });
      const question = page.getByRole('dialog');
      for (const [label, action] of [
        ['Force Up', 'force-up'],
        ['Force Low', 'force-low'],
        ['Force Medium', 'force-medium'],
        ['Force High', 'force-high'],
        ['Clear', 'clear'],
        ['Grant 10-year subscription', 'grant-subscription'],
        ['Clear subscription data', 'clear-stripe-data'],
      ] as const) {
        await tabTo(page, label);
        await page.keyboard.press('Enter');
        await question.getByText(WARNING).waitFor();
        await page.keyboard.press('Escape');
        await question.waitFor({ state: 'hidden' });
        await waitFor('the focus to be back', async () => (await focusedName(page)) === label);
        expect(sent).toEqual([]);

        await page.keyboard.press('Enter');
        await question.getByText(WARNING).waitFor();
        await tabTo(page, label);
        await page.keyboard.press('Enter');
        await question.waitFor({ state: 'hidden' });
        expect(sent.splice(0)).toEqual([`/api/admin/${action}`]);
        await waitFor('the focus to be back', async () => (await focusedName(page)) === label);
      }
      await boss.sees('Your subscription data is cleared.');
    }));

  test('[ADMIN-06] every action asks for confirmation until the environment is known', () =>
    asTheBoss(product, async (boss, page) => {
      await page.route('**/api/admin/status', (route) => route.fulfill({ status: 500 }));
      await page.reload();
      await boss.presses('Force High');
      await page.getByRole('dialog').getByText(WARNING).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    }));
});
