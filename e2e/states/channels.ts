import { expect } from '../support/fixtures.ts';
import type { States, Visit, Wish } from './visit.ts';

async function notifications(v: Visit, wish: Wish = {}): Promise<void> {
  await v.as(wish);
  await v.opensSettings('/notifications', 'What we send');
}

/** As a user enters them, after the receiver's URL. */
const FIVE = [
  ['slack', 'Media team', '/services/T000/B000/1'],
  ['teams', 'Lind Outdoor', '/workflows/1/triggers/manual/paths/invoke?sig=1'],
  ['pagerduty', 'Incidents', '/v2/enqueue 0123456789abcdef0123456789abcdef'],
  ['webhook', 'Our systems', '/hooks/1'],
  ['discord', 'Agency', '/api/webhooks/1/1'],
] as const;

async function hasChannels(
  v: Visit,
  channels: readonly (readonly [kind: string, name: string, path: string])[],
): Promise<void> {
  await v.as();
  for (const [kind, name, path] of channels) {
    const body = { kind, name, target: v.world.channels.url + path, events: ['paused', 'resumed'] };
    await v.over.post('/api/destinations', body);
  }
}

async function notificationsPage(v: Visit, words: string): Promise<void> {
  await v.opensSettings('/notifications', 'Also notify');
  await v.sees(words);
}

/** One of each state. */
function deliveries() {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const failure = 'Your endpoint couldn’t take the message (HTTP 503).';
  const accepted = { state: 'sent', failure: null, nextAt: null, attempts: 1 };
  return [
    { title: 'Resumed: 3 campaigns', state: 'waiting', failure, attempts: 2, nextAt: ago(-4) },
    { title: 'Paused: 3 campaigns', ...accepted },
    { title: 'Resumed: 12 campaigns', state: 'failed', failure, attempts: 11, nextAt: null },
  ].map((one, n) => ({ ...one, id: `${n}`, at: ago(n * 90), triedAt: ago(n * 90) }));
}

export const changesChannels = (v: Visit, change: (destinations: object[]) => object[]) =>
  v.changes('**/api/destinations', ({ destinations }: { destinations: object[] }) => ({
    destinations: change(destinations),
  }));

/** Where notifications go. */
export const CHANNELS: States = {
  'settings/notifications': async (v) => {
    await notifications(v);
    await expect(v.page.getByLabel('Email')).toBeVisible();
  },
  'settings/channels': async (v) => {
    await hasChannels(v, FIVE);
    await changesChannels(v, ([slack, teams, pagerduty, ...rest]) => {
      const at = new Date(Date.now() - 300_000).toISOString();
      const nextAt = new Date(Date.now() + 1_800_000).toISOString();
      const failure = 'Microsoft Teams couldn’t take the message (HTTP 503).';
      const disabledReason = 'PagerDuty no longer accepts messages at this address.';
      return [
        { ...slack, last: { at, failure: null, nextAt: null } },
        { ...teams, hasDelivered: true, last: { at, failure, nextAt } },
        { ...pagerduty, state: 'disabled', disabledReason },
        ...rest.map((one) => ({ ...one, quietUntil: nextAt })),
      ];
    });
    await notificationsPage(v, 'Turned off');
  },
  'settings/channels-email': async (v) => {
    await v.as();
    for (const name of ['Media team', 'Board', 'Agency'])
      await v.over.post('/api/destinations', {
        ...{ kind: 'email', name, target: `${name.slice(0, 5).toLowerCase()}@lind.example` },
        events: ['paused', 'resumed'],
      });
    await changesChannels(v, ([first, second, third]) => {
      const [at, nextAt] = [-300_000, 1_800_000].map((ms) => new Date(Date.now() + ms).toISOString());
      const confirmed = { isConfirmed: true, hasDelivered: true };
      const disabledReason = 'Its mail server refuses this address.';
      const failure = 'The mail server couldn’t take the email.';
      return [
        { ...first },
        { ...second, ...confirmed, state: 'disabled', disabledReason },
        { ...third, ...confirmed, last: { at, failure, nextAt } },
      ];
    });
    await notificationsPage(v, 'Not confirmed');
  },
  'settings/channel-secret-rotated': async (v) => {
    await hasChannels(v, FIVE.slice(3, 4));
    await notificationsPage(v, 'Our systems');
    await v.presses('More for Our systems');
    await v.presses('New secret: Our systems');
    await v.page.getByRole('dialog').getByRole('button', { name: 'Create secret' }).click();
    await v.sees('it is shown only once');
  },
  'settings/channel-quiet-until': async (v) => {
    await hasChannels(v, FIVE.slice(3, 4));
    await notificationsPage(v, 'Our systems');
    await v.presses('More for Our systems');
    await v.presses(/^Quiet until …/);
    const dialog = v.page.getByRole('dialog');
    await dialog.getByLabel(/^Send nothing to/).fill('2020-01-01T08:00');
    await v.sees('Choose a time in the future.');
  },
  'settings/channels-ten': async (v) => {
    const more = FIVE.map(([kind, name, path]) => [kind, name, path.replace(/.$/, '2')] as const);
    await hasChannels(v, [...FIVE, ...more]);
    await notificationsPage(v, 'the most that are possible');
  },
  'settings/channel-menu': async (v) => {
    await hasChannels(v, FIVE);
    await notificationsPage(v, 'Incidents');
    await v.presses('More for Our systems');
  },
  'settings/channel-test-failed': async (v) => {
    await hasChannels(v, FIVE.slice(0, 1));
    await notificationsPage(v, 'Media team');
    await v.world.channels.fault({ kind: 'gone' });
    await v.presses('More for Media team');
    await v.presses('Send test: Media team');
    await v.sees('The test failed');
  },
  'settings/channel-never-delivered': async (v) => {
    await hasChannels(v, FIVE.slice(0, 2));
    const { destinations } = await v.over.get<{ destinations: { id: string }[] }>('/api/destinations');
    await v.world.channels.fault({ kind: 'gone' });
    await v.over.post(`/api/destinations/${destinations[0]?.id}/test`);
    await notificationsPage(v, 'Never delivered');
  },
  'settings/channel-added': async (v) => {
    await notifications(v);
    await v.presses('Add channel');
    const dialog = v.page.getByRole('dialog');
    await dialog.getByLabel('Channel').selectOption('Webhook');
    await dialog.getByLabel('Name').fill('Our systems');
    await dialog.getByLabel('Endpoint URL').fill(`${v.world.channels.url}/hooks/1`);
    await dialog.getByRole('button', { name: 'Add channel' }).click();
    await v.sees('it is shown only once');
  },
  'settings/channel-refused': async (v) => {
    await notifications(v);
    await v.presses('Add channel');
    const dialog = v.page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Media team');
    await dialog.getByLabel('Webhook URL').fill('https://example.com/hook');
    await dialog.getByRole('button', { name: 'Add channel' }).click();
    await expect(dialog.getByLabel('Webhook URL')).toHaveAttribute('aria-invalid', 'true');
  },
  'settings/channel-email-added': async (v) => {
    await notifications(v);
    await v.presses('Add channel');
    const dialog = v.page.getByRole('dialog');
    await dialog.getByLabel('Channel').selectOption('Email');
    await dialog.getByLabel('Name').fill('Lind team');
    await dialog.getByLabel('Email address').fill('team@lind.example');
    await dialog.getByRole('button', { name: 'Add channel' }).click();
    await v.sees(/^We sent a link to team@lind\.example/);
  },
  'settings/channel-edit': async (v) => {
    await hasChannels(v, FIVE);
    await notificationsPage(v, 'Incidents');
    await v.presses('More for Incidents');
    await v.presses('Edit: Incidents');
    await v.sees('Save channel');
  },
  'settings/channel-incident-stays': async (v) => {
    await hasChannels(v, FIVE.slice(2, 3));
    await changesChannels(v, (all) => all.map((one) => ({ ...one, state: 'off', hasIncident: true })));
    await notificationsPage(v, 'An incident stays open at PagerDuty');
    await v.presses('More for Incidents');
    await v.presses('Delete: Incidents');
    await expect(v.page.getByRole('dialog').getByText('An incident stays open')).toBeVisible();
  },
  'settings/channel-deliveries': async (v) => {
    await hasChannels(v, FIVE.slice(3, 4));
    await v.changes('**/deliveries', () => ({ deliveries: deliveries() }));
    await notificationsPage(v, 'Our systems');
    await v.presses('More for Our systems');
    await v.presses('Deliveries: Our systems');
    await v.sees(/^Next try/);
  },
  'settings/channel-deliveries-turned-off': async (v) => {
    await hasChannels(v, FIVE.slice(3, 4));
    const disabledReason = 'Your endpoint no longer accepts messages at this address.';
    await changesChannels(v, (all) => all.map((one) => ({ ...one, state: 'disabled', disabledReason })));
    await v.changes('**/deliveries', () => ({
      deliveries: deliveries()
        .slice(1)
        .map((one) => ({ ...one, nextAt: null })),
    }));
    await notificationsPage(v, 'Our systems');
    await v.presses('More for Our systems');
    await v.presses('Deliveries: Our systems');
    await v.sees('Turned off by SmartPause');
  },
  'settings/notifications-without-subscription': async (v) => {
    await hasChannels(v, FIVE.slice(0, 2));
    await v.subscriptionBecomes('canceled');
    await notificationsPage(v, 'subscribe first');
  },
  'settings/address-not-confirmed': async (v) => {
    await v.linkToken();
    await v.opens('/settings/notifications');
    await v.sees('We can’t reach you yet');
  },
  'settings/address-refused': async (v) => {
    const unreached = { why: 'refused', at: null };
    await v.changes('**/api/user/status', ({ status }: { status: object }) => ({
      status: { ...status, unreached },
    }));
    await v.as();
    await v.opens('/settings/notifications');
    await v.sees(/^Your mail server refused our email/);
  },
  'settings/address-changing': async (v) => {
    await v.changesAddress();
    await v.opens('/settings/notifications');
    await v.sees('Waiting for confirmation');
  },
  'dashboard/address-changing': async (v) => {
    await v.changesAddress();
    await v.opens('/');
    await v.sees('Waiting for confirmation');
  },
  'dashboard/address-not-confirmed': async (v) => {
    await v.linkToken();
    await v.opens('/');
    await v.sees('We can’t reach you yet');
  },
  'settings/notifications-before-setup': (v) => notifications(v, { setup: null }),
};
