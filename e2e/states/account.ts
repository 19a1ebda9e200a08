import { DAY_MS } from '../../scripts/simulator-clients/stripe.ts';
import { expect } from '../support/fixtures.ts';
import { changesChannels } from './channels.ts';
import type { States, Visit, Wish } from './visit.ts';
import { NEWCOMER, SHOES } from './visit.ts';

const REVOKE = 'Revoke authorization';
const DELETE = 'Delete account';
/** Without a setup, so that only the billing is shown. */
const BARE = { setup: null } as const;

export async function settings(v: Visit, wish: Wish = {}): Promise<void> {
  await v.as(wish);
  await v.opensSettings();
  await expect(v.page.getByLabel('Email')).toBeVisible();
}

/** A channel with an open incident. */
const INCIDENT = {
  ...{ id: '1', kind: 'pagerduty', name: 'On call', hint: 'events.pagerduty.com', events: ['paused'] },
  ...{ state: 'on', disabledReason: null, quietUntil: null, isConfirmed: true, last: null },
  ...{ hasDelivered: true, hasIncident: true },
};

const opensBilling = (v: Visit) => v.opensSettings('/billing', 'Billing & Subscription');
const opensAccount = (v: Visit) => v.opensSettings('/account', 'Danger Zone');

async function setup(v: Visit, step: number): Promise<void> {
  await v.as({ setup: null });
  await v.opens(`/setup?step=${step}`);
  await v.sees(`Step ${step} of 3`);
  await expect(v.page.getByRole('form')).toBeVisible();
}

const changes = (v: Visit) => v.page.getByRole('radio', { name: 'After a delay' }).check();

const billing = (words: string | RegExp, status?: string) => async (v: Visit) => {
  await v.as(BARE);
  if (status !== undefined) await v.subscriptionBecomes(status);
  await opensBilling(v);
  await v.sees(words);
};

const opensDialog = async (v: Visit, button: string) => {
  await settings(v, { on: [SHOES] });
  await v.presses(button);
  await expect(v.page.getByRole('dialog')).toBeVisible();
};

async function liveTest(v: Visit): Promise<void> {
  await opensDialog(v, 'Run a live test');
  await v.page.getByRole('combobox', { name: 'Campaign' }).click();
  await v.page.getByRole('option', { name: SHOES }).click();
  await v.presses('Start the test');
  await v.sees(/^Resumes in \d+ s$/);
}

async function asks(v: Visit, button: string): Promise<void> {
  await v.as(NEWCOMER);
  await opensAccount(v);
  await v.presses(button);
  if (button === DELETE) await v.page.getByRole('dialog').getByRole('textbox').fill('DELETE MY ACCOUNT');
}

async function confirms(v: Visit, button: string, then: string | RegExp): Promise<void> {
  await v.keepsTextInPlace();
  await asks(v, button);
  await v.page.getByRole('dialog').getByRole('button', { name: button }).click();
  await v.sees(then);
}

export const admin = async (v: Visit) => {
  await v.asBoss();
  await v.opens('/admin');
  await expect(
    v.page.getByRole('region', { name: 'Recent activity' }).getByRole('listitem').first(),
  ).toBeVisible();
};

/** Every part of System health needs attention. */
function allParts() {
  const since = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const part = (oldest: string | null, counts: object) => ({ needsAttention: true, oldest, ...counts });
  return {
    statusPage: {
      needsAttention: true,
      readAt: since(7),
      trouble: '/data/orgs.json: no JSON, but "<!DOCTYPE html><html lang=en id=facebook>"',
      missing: ['Ads Delivery', 'Ads Reporting'],
      silentIncidents: [
        'Meta’s status page still lists “High disruptions” for Ads Delivery since Jan 8, 2026, 7:00 AM EST (12:00 UTC), without a post for 12 hours. SmartPause treats it as ended.',
      ],
    },
    queue: part(since(3), { due: 12 }),
    jobs: part(since(18), { due: 40 }),
    accounts: part(null, { failing: 1204 }),
    holds: part(since(60), { pausing: 12, paused: 5000, resuming: 3, notResumable: 128 }),
    writes: part(since(2), { unconfirmed: 3 }),
    emails: part(since(45), { waiting: 31, retried: 30, failed: 2 }),
    tokens: part(since(2 * 24 * 60), { refused: 4, undecryptable: 1 }),
    app: { ...part(since(4), { usedRatio: 0.97 }), stopped: 'blocked', said: 'API access blocked' },
    tokenChecks: part(since(40), {}),
    logins: part(since(3 * 24 * 60), { unfinished: 5, declined: 2 }),
    leaving: part(since(26 * 60), { users: 2, failing: 1 }),
    subscriptions: part(since(11), { failing: 4 }),
  };
}

/** Settings, billing, trying, leaving and the admin page. */
export const ACCOUNT: States = {
  'settings/setup': (v) => settings(v, { setup: null }),
  'setup/when-to-pause': (v) => setup(v, 1),
  'setup/when-to-resume': (v) => setup(v, 2),
  'setup/email': (v) => setup(v, 3),
  'settings/instant': (v) => settings(v),
  'settings/after-a-delay': (v) =>
    settings(v, { setup: { resumeSettings: { mode: 'delay', delay: { value: 12, unit: 'hours' } } } }),
  'settings/during-an-outage': async (v) => {
    await v.world.reports('High disruptions');
    await settings(v);
    await v.sees('Threshold adjustments are disabled during Meta outages');
  },
  'settings/leaving-unsaved': async (v) => {
    await settings(v);
    await changes(v);
    await v.page.getByRole('link', { name: 'Go to campaigns' }).click();
    await v.sees('Leave without saving?');
  },
  'settings/saved': async (v) => {
    await v.keepsTextInPlace();
    await settings(v);
    await changes(v);
    await v.presses('Save settings');
    await v.sees('Settings saved successfully');
  },
  'settings/saving-failed': async (v) => {
    await v.keepsTextInPlace();
    await settings(v);
    await v.breaks('**/api/user/settings', 500);
    await changes(v);
    await v.presses('Save settings');
    await v.sees('Failed to save settings');
  },
  'settings/account': async (v) => {
    await v.as();
    await opensAccount(v);
  },
  'billing/none': async (v) => {
    await v.as(NEWCOMER);
    await v.opensSettings('', 'Billing & Subscription');
  },
  'billing/on-trial': billing(/^Trial$/),
  'billing/past-due': billing('Past Due', 'past_due'),
  'billing/cancelled': async (v) => {
    await v.as(BARE);
    await v.cancels();
    await opensBilling(v);
    await v.sees(/^Canceled$/);
  },
  'billing/over': async (v) => {
    await v.as({ ...BARE, plan: null });
    await v.world.stripe.setClock(-40 * DAY_MS);
    await v.over.subscribe(v.world.stripe, 'monthly');
    await v.cancels();
    await opensBilling(v);
    await v.sees('Subscribe again');
  },
  'billing/granted': async (v) => {
    await v.asBoss();
    await v.over.post('/api/admin/grant-subscription');
    await opensAccount(v);
    await v.sees('clear it in Admin');
  },

  'trying/dry-run': async (v) => {
    await opensDialog(v, 'What would happen now?');
    await v.page.getByText('Would be paused').click();
    await v.sees(/^Keeps? spending: SmartPause is off/);
  },
  'trying/live-test': async (v) => {
    await opensDialog(v, 'Run a live test');
    await v.page.getByRole('combobox', { name: 'Campaign' }).click();
    await v.page.getByRole('option', { name: SHOES }).click();
  },
  'trying/live-test-paused': liveTest,
  'trying/live-test-refused': async (v) => {
    await liveTest(v);
    await v.isRefused();
    await v.presses('Resume now');
    await v.sees(/^Meta refuses to resume/);
  },

  'trying/live-test-ended-early': async (v) => {
    await liveTest(v);
    await v.presses('Resume now');
    await v.sees(/^Resumed after/);
  },
  'trying/dry-run-account-in-debt': async (v) => {
    await v.as({ on: [SHOES] });
    await v.world.graph.post(`/accounts/act_${v.id}0`, { account_status: 3 });
    await v.opensSettings();
    await v.presses('What would happen now?');
    await v.sees(/a payment is overdue/);
  },

  'danger-zone/revoking-refused': async (v) => {
    await v.keepsTextInPlace();
    await v.holdsTwo();
    await v.isRefused();
    await opensAccount(v);
    await v.presses(REVOKE);
    const dialog = v.page.getByRole('dialog');
    await dialog.getByRole('button', { name: REVOKE }).click();
    await v.sees(/^2 campaigns stay paused/);
    await v.world.advance(21_000);
    await v.sees(/^Failed to revoke authorization/);
  },
  'danger-zone/revoke-asked': (v) => asks(v, REVOKE),
  'danger-zone/revoke-asked-refused': async (v) => {
    await v.holdsTwo();
    await v.isRefused();
    await v.world.reports('Resolved');
    await v.opensCampaigns();
    await v.sees('Retry now');
    await opensAccount(v);
    await v.presses(REVOKE);
    await v.sees(/^SmartPause first tries to resume/);
  },
  'danger-zone/revoked': (v) => confirms(v, REVOKE, /^Authorization revoked/),
  'danger-zone/delete-asked': (v) => asks(v, DELETE),
  'danger-zone/delete-asked-incident': async (v) => {
    await changesChannels(v, () => [INCIDENT]);
    await asks(v, DELETE);
    await v.sees('An incident stays open at PagerDuty: resolve it there.');
  },
  'danger-zone/deleting-failed': async (v) => {
    await v.world.graph.fault({ kind: 'error', code: 2, method: 'DELETE', times: 0 });
    await confirms(v, DELETE, /^Failed to delete account/);
  },

  'admin/page': admin,
  'admin/overridden': async (v) => {
    await v.asBoss();
    await v.over.post('/api/admin/force-medium', { reason: 'Meta’s page is late' });
    await admin(v);
    await v.sees(/^Yes$/);
  },
  'admin/health-attention': async (v) => {
    const parts = allParts();
    await v.breaks('**/api/admin/system-health', 200, parts);
    await v.changes('**/api/status', (body: object) => ({
      ...body,
      ...{ status: 'UNKNOWN', checkedAt: parts.statusPage.readAt },
    }));
    await v.changes('**/api/admin/status', (body: object) => ({
      ...body,
      ...{ effectiveStatus: 'UNKNOWN', trueMetaStatus: 'UNKNOWN', statusMessage: '' },
    }));
    await admin(v);
    await v.sees(/^13 of 13 parts need attention/);
  },
  'admin/asked': async (v) => {
    await v.changes('**/api/admin/status', (body: object) => ({ ...body, isProductionLike: true }));
    await admin(v);
    await v.presses('Force High');
    await v.sees(/Production Environment/);
  },
};
