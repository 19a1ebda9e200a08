import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import type { User } from './support/user.ts';

/** Settings with the dialog of a new channel, in which its kind and name are entered. */
async function beginsChannel(nora: User, page: Page, kind: string, name: string) {
  await nora.arrives({ path: '/settings/notifications' });
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Add channel' }).press('Enter');
  await expect(dialog.getByLabel('Channel')).toBeFocused();
  await dialog.getByLabel('Channel').selectOption(kind);
  await dialog.getByLabel('Name').fill(name);
  return dialog;
}

test('[CHAN-01, CHAN-04] a channel is added, tested and deleted by the keyboard alone; its secret is shown once', async ({
  nora,
  page,
  world,
}) => {
  const dialog = await beginsChannel(nora, page, 'Webhook', 'Our systems');
  await dialog.getByLabel('Endpoint URL').fill(`${world.channels.url}/hooks/1`);
  await page.keyboard.press('Enter');
  const secret = await dialog.getByLabel('Signing secret').inputValue();
  expect(secret).toMatch(/^whsec_/);
  await world.channels.post('/secrets', { secrets: [secret] });
  await dialog.getByRole('button', { name: 'Send test' }).press('Enter');
  await expect(dialog.getByText('Test delivered')).toBeVisible();
  await page.keyboard.press('Escape');

  const more = page.getByRole('button', { name: 'More for Our systems' });
  const menu = async (item: string) => {
    await more.press('Enter');
    // Opening, it focuses its first entry, which a key pressed too early would meet.
    await expect(page.getByRole('button', { name: 'Send test: Our systems' })).toBeFocused();
    await page.getByRole('button', { name: `${item}: Our systems` }).press('Enter');
  };
  await menu('Quiet for an hour');
  await nora.sees(/^Quiet until/);
  await world.channels.fault({ kind: 'gone' });
  await menu('Send test');
  await nora.sees('The test failed: Your endpoint no longer accepts messages at this address.');
  await page.reload();
  await nora.sees(/^Last test failed on .*: Your endpoint no longer accepts messages at this address\.$/);
  await expect(page.getByText(secret)).toBeHidden();
  await menu('Delete');
  // Opening, it takes the focus.
  await expect(dialog.locator(':focus')).toBeVisible();
  await dialog.getByRole('button', { name: 'Delete channel' }).press('Enter');
  await expect(more).toBeHidden();
});

test('[CHAN-01, CHAN-05] an email channel says what is wrong at its field, and gets its link again', async ({
  nora,
  page,
  world,
}) => {
  const dialog = await beginsChannel(nora, page, 'Email', 'Team');
  const address = dialog.getByLabel('Email address');
  await address.fill('team@lind');
  await dialog.getByRole('button', { name: 'Add channel' }).click();
  await expect(address).toHaveAccessibleDescription('Enter a complete email address.');
  await address.fill(nora.email);
  await dialog.getByRole('button', { name: 'Add channel' }).click();
  await expect(address).toHaveAccessibleDescription('You already get every email at this address.');
  await address.fill('team@lind.example');
  await dialog.getByRole('button', { name: 'Add channel' }).click();
  await nora.sees(/^We sent a link to .+\./);
  await dialog.getByRole('button', { name: 'Done' }).press('Enter');
  await nora.sees('Not confirmed');
  await world.advance(61_000);
  await page.getByRole('button', { name: 'More for Team' }).press('Enter');
  await page.getByRole('button', { name: 'Send link again: Team' }).press('Enter');
  await nora.sees('Email sent');
  await expect.poll(() => world.mailbox.messagesTo('team@lind.example')).toHaveLength(2);

  const [mail] = await world.mailbox.messagesTo('team@lind.example');
  expect(mail?.subject).toBe(`Confirm that you want SmartPause notifications from ${nora.name}`);
  const recipient = await page.context().browser()?.newPage();
  if (recipient === undefined) throw new Error('there is no browser');
  await recipient.goto(/\S+\/confirm-email#\S+/.exec(mail?.text ?? '')?.[0] ?? '');
  await expect(recipient.getByText(`${nora.name} wants to send notifications`)).toBeVisible();
  await expect(recipient.getByText(/^Campaigns paused/)).toBeVisible();
  await expect(recipient.getByText(/^To decline,/)).toBeVisible();
  await recipient.getByRole('button', { name: 'Confirm this address' }).click();
  await expect(recipient.getByRole('heading', { name: 'Notifications are confirmed' })).toBeVisible();
  await expect(recipient.getByRole('main').getByRole('link')).toHaveCount(0);
  await recipient.close();
  await expect(page.getByText('Not confirmed')).toBeHidden();
});
