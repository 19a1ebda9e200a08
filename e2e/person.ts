import type { Locator, Page } from 'playwright-core';

const NEWS_MS = 45_000;

/** What somebody does in the browser, in their words. */
export class Person {
  readonly page: Page;
  readonly #url: string;

  constructor(page: Page, url: string) {
    this.page = page;
    this.#url = url;
  }

  async opens(path: string): Promise<void> {
    await this.page.goto(this.#url + path);
  }

  async signsInAs(name: string): Promise<void> {
    await this.opens('/');
    await this.page.getByText('Log In', { exact: true }).first().click();
    await this.page.getByRole('button', { name: `Continue as ${name}` }).click();
    await this.page.getByRole('button', { name: 'Log out' }).waitFor();
  }

  async completesSetup(settings: { delayMinutes: number } | 'instant'): Promise<void> {
    await this.opens('/settings');
    await this.page.getByLabel('Email').fill('maya@example.com');
    if (settings === 'instant') {
      await this.page.getByRole('radio', { name: 'Immediately' }).check();
    } else {
      await this.page.getByRole('radio', { name: 'After a delay' }).check();
      await this.page.getByRole('textbox', { name: 'Delay' }).fill(String(settings.delayMinutes));
    }
    await this.page.getByRole('checkbox').check();
    await this.page.getByRole('button', { name: 'Complete Account Setup' }).click();
    await this.page.getByText('Account initialized successfully!').waitFor();
  }

  async choosesAccount(name: string): Promise<void> {
    await this.opens('/');
    await this.page.getByRole('region', { name: 'Ad accounts' }).getByRole('button', { name }).click();
    await this.campaigns().getByRole('listitem').first().waitFor();
  }

  async turnsSmartPauseOnFor(campaign: string): Promise<void> {
    const toggle = this.page.getByRole('switch', { name: `SmartPause for ${campaign}`, exact: true });
    const saved = this.page.waitForResponse((answer) => answer.url().includes('/api/smartpause/'));
    await toggle.check({ force: true });
    await saved;
  }

  campaigns(): Locator {
    return this.page.getByRole('region', { name: 'Campaigns' });
  }

  /** The line of one campaign. */
  campaign(name: string): Locator {
    return this.campaigns().getByRole('listitem').filter({ hasText: name });
  }

  /** Within the page's own poll interval of 30 s, if it is news from the server. */
  async sees(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor({ timeout: NEWS_MS });
  }

  async seesCampaign(name: string, text: string, timeout = NEWS_MS): Promise<void> {
    await this.campaign(name).getByText(text, { exact: true }).first().waitFor({ timeout });
  }
}
