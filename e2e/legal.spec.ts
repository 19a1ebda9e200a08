import { expect, test } from './support/fixtures.ts';

for (const [path, headings, texts] of [
  [
    '/terms',
    ['Termination', 'Limitations', 'Governing law', 'Arbitration'],
    [
      /governed by the laws of the State of Illinois/,
      /binding arbitration in Chicago, Illinois/,
      /Emails for SmartPause actions are mandatory/,
    ],
  ],
  [
    '/privacy',
    ['Who we share it with', 'How long we keep it', 'After a deletion'],
    [
      /Emails for SmartPause actions are mandatory/,
      /For a copy of everything we store about you, write to smartpause@localhost\.localdomain\./,
    ],
  ],
] as const)
  test(`[ROUTE-10, FMT-03] ${path} has its date, its sections, the company and a contact`, async ({
    nora,
    page,
  }) => {
    await nora.opens(path);
    await nora.sees('Last changed: November 27, 2026');
    for (const name of headings) await expect(page.getByRole('heading', { level: 2, name })).toBeVisible();
    for (const text of texts) await nora.sees(text);
    const contact = page.getByRole('heading', { name: 'Contact' }).locator('..').getByRole('link');
    await expect(contact).toHaveAttribute('href', 'mailto:smartpause@localhost.localdomain');
  });

test('[FMT-03] served by another server, the legal pages name only the product', async ({ nora, page }) => {
  // Without what our server inserts.
  await page.route('**/terms', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replaceAll(/<meta name="smartpause-(company|contact)[^>]*>/g, '');
    await route.fulfill({ response: answer, body });
  });
  await nora.opens('/terms');
  await nora.sees('SmartPause (“we”) operates the SmartPause service.');
  await nora.sees('Reply to any email that you have received from us.');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click();
  await nora.sees(/For a copy of everything we store about you, reply to any email from us\./);
});
