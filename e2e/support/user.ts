import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { UserOverHttp, signIn } from '../../scripts/simulator-clients/user.ts';
import type { Card } from '../../simulators/stripe/account.ts';
import { AdAccount } from './ad-account.ts';
import type { World } from './world.ts';

interface Setup {
  resume: { delayMinutes: number } | 'instant';
  threshold?: 'LOW' | 'MEDIUM' | 'HIGH';
}

interface Arrival {
  campaigns?: Record<string, 'ACTIVE' | 'PAUSED' | 'ARCHIVED'>;
  /** Null: the setup is not completed. */
  setup?: Setup | null;
  path?: string;
}

/** The last message before the logout is shown for so long. */
const FAREWELL_MS = 2000;

let count = 0;

/** A new Meta user with an ad account, and what this user does in the browser. */
export class User {
  readonly page: Page;
  readonly #world: World;
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly account: AdAccount;

  constructor(page: Page, world: World, known?: { id: string; name: string }) {
    count += 1;
    this.page = page;
    this.#world = world;
    this.id = known?.id ?? String(700_000_000 + count);
    this.name = known?.name ?? `Nora Lind ${count}.`;
    this.email = `nora${count}@lind.example`;
    this.account = new AdAccount(world.graph, `act_${this.id}`, `Lind Outdoor ${count}.`);
  }

  /** Adds campaigns to the ad account of this user. */
  async runs(campaigns: NonNullable<Arrival['campaigns']>): Promise<void> {
    const listed = Object.entries(campaigns).map(([name, status], index) => ({
      ...{ id: `${this.id}${String(index).padStart(3, '0')}`, name, status },
      ...{ objective: 'OUTCOME_SALES', daily_budget: '5000' },
    }));
    await this.hasAccounts([
      { id: this.account.id, name: this.account.name, currency: 'USD', campaigns: listed },
    ]);
  }

  /** Replaces the ad accounts of this user at Meta. */
  async hasAccounts(accounts: object[]): Promise<void> {
    const { id, name, email } = this;
    await this.#world.graph.post('/seed', { users: [{ id, name, email, accounts }] });
  }

  async opens(path: string): Promise<void> {
    await this.page.goto(this.#world.url + path);
  }

  /** Signed in, without the login dialog and without a subscription. */
  async signsIn(path = '/'): Promise<void> {
    await this.arrivesWith((await signIn(this.#world.url, this.id)).token, path);
    await this.isSignedIn();
  }

  /** Signed in, subscribed and set up, at the campaigns or the settings, without the way there. */
  async arrives({ campaigns, setup = { resume: 'instant' }, path = '/' }: Arrival = {}): Promise<void> {
    if (campaigns) await this.runs(campaigns);
    const over = await signIn(this.#world.url, this.id);
    await over.becomesAdvertiser({
      subscribe: () => this.#world.plantTrial(over, this.id, setup && this.email),
      setup: setup && settingsOf(setup, this.email),
    });
    await this.arrivesWith(over.token, path);
    const content = new Map([
      ['/', this.campaignRows().first()],
      ['/settings', this.page.getByLabel('Email')],
    ]);
    await expect(content.get(path) ?? this.page.getByRole('heading', { level: 1 })).toBeVisible();
  }

  /** Opens the page as a login does: with the token in the address, and the cookie that announces it. */
  async arrivesWith(token: string, path: string): Promise<void> {
    const url = new URL(this.#world.url + path);
    url.searchParams.set('token', token);
    const value = token.slice(0, 12);
    await this.page.context().addCookies([{ name: 'smartpause_arrival', value, url: url.origin }]);
    await this.page.goto(url.href);
  }

  async isSignedIn(): Promise<void> {
    await expect(this.page.getByRole('button', { name: /^(Log out$|Menu, Meta)/ })).toBeVisible();
  }

  /** Opens the login dialog from the current page. */
  async goesToTheDialog(): Promise<void> {
    await this.page.getByRole('link', { name: 'Log In' }).first().click();
    await expect(this.button('Cancel')).toBeVisible();
  }

  /** Completes the login dialog and follows the redirect. */
  async logsIn(): Promise<void> {
    await this.opens('/');
    await this.goesToTheDialog();
    await this.presses(`Continue as ${this.name}`);
  }

  /** Completes the checkout without the page. */
  async subscribes(planType?: 'monthly' | 'yearly', card?: Card): Promise<void> {
    await (await this.overHttp()).subscribe(this.#world.stripe, planType, card);
  }

  /** Cancels in the billing portal, without its page. */
  async cancelsSubscription(): Promise<void> {
    await (await this.overHttp()).cancelSubscription(this.#world.stripe);
    await this.page.reload();
  }

  /** Submits the settings form: resume immediately. */
  async completesSetup(): Promise<void> {
    await this.opens('/settings');
    await this.page.getByLabel('Email').fill(this.email);
    await this.page.getByRole('radio', { name: 'Immediately' }).check();
    await this.page.getByRole('checkbox').check();
    await this.presses('Complete Account Setup');
    await this.sees('Account initialized successfully!');
  }

  /** @param choice the button of the dialog that asks first: during a threshold match, or on a held campaign */
  async turnsSmartPause(to: 'on' | 'off', campaign: string, choice?: string): Promise<void> {
    const call = choice === 'Resume now' ? '/api/campaign-changes' : '/api/smartpause/';
    const saved = this.page.waitForResponse((answer) => answer.url().includes(call));
    const box = this.switchOf(campaign);
    await expect(box).toBeChecked({ checked: to === 'off' });
    // The page sets the switch a moment after the click.
    await box.click();
    if (choice !== undefined) await this.chooses(choice);
    await saved;
  }

  /** Turns SmartPause on for these campaigns, and an outage has them paused at Meta. */
  async isPausedInOutage(...campaigns: string[]): Promise<void> {
    for (const campaign of campaigns) await this.turnsSmartPause('on', campaign);
    await this.#world.reports('High disruptions');
    for (const campaign of campaigns) await this.account.becomes(campaign, 'PAUSED');
  }

  async presses(name: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name }).click();
  }

  /** Presses an item in the menu of a campaign's row. */
  async picks(item: string, campaign: string): Promise<void> {
    await this.button(`More for ${campaign}`).click();
    await this.button(`${item} ${campaign}`).click();
  }

  /** Presses a button of the open dialog. */
  async chooses(name: string | RegExp): Promise<void> {
    await this.page.getByRole('dialog').getByRole('button', { name }).click();
  }

  link(name: string): Locator {
    return this.page.getByRole('link', { name, exact: true });
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  switchOf(campaign: string): Locator {
    return this.page.getByRole('switch', { name: `SmartPause for ${campaign}`, exact: true });
  }

  campaigns(): Locator {
    return this.page.getByRole('region', { name: 'Campaigns' });
  }

  /** The rows without the column headers. */
  campaignRows(): Locator {
    return this.campaigns().locator('[data-campaign]');
  }

  /** The row of one campaign. */
  campaign(name: string): Locator {
    return this.campaignRows().filter({ hasText: name });
  }

  async sees(text: string | RegExp): Promise<void> {
    await expect(this.page.getByText(text).first()).toBeVisible();
  }

  async noLongerSees(text: string | RegExp): Promise<void> {
    await expect(this.page.getByText(text).first()).toBeHidden();
  }

  async seesCampaign(name: string, text: string | RegExp): Promise<void> {
    await expect(this.campaign(name).getByText(text, { exact: true }).first()).toBeVisible();
  }

  /** Reads the last message before the logout, whose time is stepped. */
  async reads(farewell: string): Promise<void> {
    await this.sees(farewell);
    await this.page.clock.fastForward(FAREWELL_MS);
  }

  /** On the landing page, logged out. */
  async isAtLandingPage(): Promise<void> {
    await expect(this.page.getByRole('heading', { name: /^Stop paying/ })).toBeVisible();
  }

  token(): Promise<string | null> {
    return this.page.evaluate<string | null>("localStorage.getItem('authToken')");
  }

  /** In another tab of this browser, where another login has ended. */
  async storesInAnotherTab(token: string): Promise<void> {
    const tab = await this.page.context().newPage();
    await tab.route('**/blank', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
    await tab.goto(`${this.#world.url}/blank`);
    await tab.evaluate(`localStorage.setItem('authToken', ${JSON.stringify(token)})`);
  }

  /** The same user and session over HTTP, for what the page does not offer. */
  async overHttp(): Promise<UserOverHttp> {
    return new UserOverHttp(this.#world.url, (await this.token()) ?? '');
  }
}

function settingsOf({ resume, threshold = 'MEDIUM' }: Setup, email: string) {
  const resumeSettings =
    resume === 'instant'
      ? { mode: 'instant' }
      : { mode: 'delay', delay: { value: resume.delayMinutes, unit: 'minutes' } };
  return { email, resumeSettings, outageThreshold: threshold };
}
