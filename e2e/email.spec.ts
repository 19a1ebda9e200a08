import { expect, test } from './support/fixtures.ts';
import type { World } from './support/world.ts';

async function linkTo(world: World, address: string): Promise<string> {
  const mail = await world.mailbox.waitFor(address, /^Confirm your email address/);
  return /\S+\/confirm-email#\S+/.exec(mail.text ?? '')?.[0] ?? '';
}

test('[CHAN-05, FR-22, FR-40] the setup sends a link; until its button is pressed, the dashboard and Settings say that we can’t reach you', async ({
  nora,
  page,
  world,
}) => {
  await nora.runs({ Shoes: 'ACTIVE' });
  await nora.arrives({ setup: null, path: '/settings' });
  await page.getByLabel('Email').fill('other@lind.example');
  await page.getByRole('checkbox', { name: /agree/ }).check();
  await nora.presses('Complete Account Setup');
  await nora.sees('Account initialized successfully!');
  await nora.opens('/');
  const banner = page.getByText('We can’t reach you yet');
  await expect(banner).toBeVisible();
  const link = await linkTo(world, 'other@lind.example');

  await world.advance(61_000);
  await nora.opens('/settings/notifications');
  await expect(banner).toBeVisible();
  await nora.presses('Send again');
  await nora.sees('Open the link in it within 3 days.');
  const visitor = await page.context().browser()?.newPage();
  if (visitor === undefined) throw new Error('there is no browser');
  await visitor.goto(link);
  await expect(visitor.getByText('oth…')).toBeVisible();
  await expect(banner).toBeVisible();
  await visitor.getByRole('button', { name: 'Confirm this address' }).click();
  await expect(visitor.getByRole('heading', { name: 'Your email address is confirmed' })).toBeVisible();
  await visitor.close();
  await expect(banner).toBeHidden();
});

test('[CHAN-05] a new address waits for its confirmation beside the confirmed one, and the change can be canceled', async ({
  nora,
  page,
  world,
}) => {
  await nora.runs({ Shoes: 'ACTIVE' });
  await nora.arrives({ path: '/settings/notifications' });
  const email = page.getByLabel('Email');
  await expect(email).toHaveValue(nora.email);
  await email.fill('new@lind.example');
  await nora.presses('Save settings');
  await nora.sees('Waiting for confirmation: new@lind.example');
  await nora.sees(new RegExp(`Emails still go to ${nora.email}, too`));
  await world.mailbox.waitFor(nora.email, /^Your SmartPause email address is being changed$/);
  await nora.presses('Cancel the change');
  await expect(email).toHaveValue(nora.email);
  await expect(page.getByText('Waiting for confirmation')).toBeHidden();
  await page.goto(await linkTo(world, 'new@lind.example'));
  await nora.sees('This link is for another address');
});

test('[SPEND-05] the monthly summary is turned off in Settings, and the address stays', async ({
  nora,
  page,
}) => {
  await nora.runs({ Shoes: 'ACTIVE' });
  await nora.arrives({ path: '/settings/notifications' });
  const option = page.getByRole('switch', { name: 'Monthly summary' });
  await expect(option).toBeChecked();
  await expect(page.getByRole('button', { name: 'Save settings' })).toBeDisabled();
  await option.press('Space');
  await nora.sees('Unsaved changes');
  await nora.presses('Save settings');
  await nora.sees('Settings saved successfully');
  await page.reload();
  await expect(option).not.toBeChecked();
  await expect(page.getByLabel('Email')).toHaveValue(nora.email);
});
