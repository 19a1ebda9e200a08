import type { Locator, Page } from 'playwright-core';
import type { StripeDoor } from '../outside/stripe.ts';
import { PersonOverHttp } from '../outside/person.ts';

export interface Setup {
  resume: { delayMinutes: number } | 'instant';
  threshold?: 'LOW' | 'MEDIUM' | 'HIGH';
}

interface SubscriptionState {
  hasActiveSubscription: boolean;
}

/** What somebody does in the browser, in their words. */
export class Person {
  readonly page: Page;
  readonly #url: string;
  readonly #stripe: StripeDoor;

  constructor(page: Page, product: { url: string; stripe: StripeDoor }) {
    this.page = page;
    this.#url = product.url;
    this.#stripe = product.stripe;
  }

  async opens(path: string): Promise<void> {
    await this.page.goto(this.#url + path);
  }

  async presses(name: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name }).click();
  }

  /** A page behind the login, while nobody is logged in: that leads home, by one document more. */
  async isSentHomeFrom(path: string): Promise<void> {
    await this.opens(path);
    // A press into a document that is about to be replaced goes to neither.
    await this.page.locator('#root[data-prerendered][data-alive]').waitFor();
  }

  /** The login's dialog, from wherever this page is. */
  async goesToTheDialog(): Promise<void> {
    await this.page.getByRole('link', { name: 'Log In' }).first().click();
    await this.page.getByRole('button', { name: 'Cancel' }).waitFor();
  }

  /** Through the login's dialog, to wherever that leads. */
  async continuesAs(name: string): Promise<void> {
    await this.opens('/');
    await this.goesToTheDialog();
    await this.presses(`Continue as ${name}`);
  }

  async signsInAs(name: string): Promise<void> {
    await this.continuesAs(name);
    await this.page.getByRole('button', { name: 'Log out' }).waitFor();
  }

  async arrivesAtSettingsAs(name: string): Promise<void> {
    await this.signsInAs(name);
    await this.subscribes();
    await this.opens('/settings');
    await this.page.getByLabel('Email').waitFor();
  }

  /** Whoever has a subscription keeps it. */
  async subscribes(): Promise<void> {
    const over = await this.overHttp();
    const { hasActiveSubscription } = await over.get<SubscriptionState>('/api/stripe/subscription');
    if (hasActiveSubscription) return;
    await this.subscribesWithoutThePage();
    await this.page.reload();
  }

  /** By way of the checkout; this page does not hear of it. */
  async subscribesWithoutThePage(
    planType: 'monthly' | 'yearly' = 'monthly',
    card: 'good' | 'fails_at_renewal' = 'good',
  ): Promise<void> {
    const over = await this.overHttp();
    const { checkoutUrl } = await over.post<{ checkoutUrl: string }>('/api/stripe/create-checkout-session', {
      planType,
    });
    await this.#stripe.pay(checkoutUrl, card);
    await over.post('/api/stripe/refresh-subscription');
  }

  /** In the billing portal, but without its page. */
  async cancelsSubscription(): Promise<void> {
    const over = await this.overHttp();
    const { portalUrl } = await over.post<{ portalUrl: string }>('/api/stripe/create-portal-session', {});
    await this.#stripe.portal(portalUrl).cancel();
    await over.post('/api/stripe/refresh-subscription');
    await this.page.reload();
  }

  async completesSetup({ resume, threshold = 'MEDIUM' }: Setup): Promise<void> {
    await this.subscribes();
    await this.opens('/settings');
    await this.page.getByLabel('Email').fill('nora@lind.example');
    const slider = this.page.getByRole('slider', { name: 'Outage threshold' });
    if (threshold !== 'MEDIUM') await slider.press(threshold === 'LOW' ? 'ArrowLeft' : 'ArrowRight');
    if (resume === 'instant') {
      await this.page.getByRole('radio', { name: 'Immediately' }).check();
    } else {
      await this.page.getByRole('radio', { name: 'After a delay' }).check();
      await this.page.getByRole('textbox', { name: 'Delay' }).fill(String(resume.delayMinutes));
    }
    await this.page.getByRole('checkbox').check();
    await this.presses('Complete Account Setup');
    await this.sees('Account initialized successfully!');
  }

  async choosesAccount(name: string): Promise<void> {
    await this.opens('/');
    await this.page.getByRole('region', { name: 'Ad accounts' }).getByRole('button', { name }).click();
    await this.campaigns().getByRole('listitem').first().waitFor();
  }

  /** Signed in, subscribed, set up, and looking at the campaigns. */
  async arrivesAs(name: string, setup: Setup = { resume: 'instant' }): Promise<void> {
    await this.signsInAs(name);
    await this.completesSetup(setup);
    await this.opens('/');
    await this.campaigns().getByRole('listitem').first().waitFor();
  }

  async turnsSmartPause(to: 'on' | 'off', campaign: string): Promise<void> {
    const saved = this.page.waitForResponse((answer) => answer.url().includes('/api/smartpause/'));
    await this.switchOf(campaign).setChecked(to === 'on');
    await saved;
  }

  switchOf(campaign: string): Locator {
    return this.page.getByRole('switch', { name: `SmartPause for ${campaign}`, exact: true });
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  campaigns(): Locator {
    return this.page.getByRole('region', { name: 'Campaigns' });
  }

  /** The line of one campaign. */
  campaign(name: string): Locator {
    return this.campaigns().getByRole('listitem').filter({ hasText: name });
  }

  /** Without doing anything for it: the page hears of news by itself. */
  async sees(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor();
  }

  async noLongerSees(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor({ state: 'hidden' });
  }

  async seesCampaign(name: string, text: string | RegExp): Promise<void> {
    await this.campaign(name).getByText(text, { exact: true }).first().waitFor();
  }

  /** Looks again until it is there, instead of waiting for the page to hear of it. */
  async seesAfterReloading(text: string | RegExp): Promise<void> {
    const there = this.page.getByText(text).first();
    for (let tries = 3; tries > 0; tries -= 1) {
      await this.page.reload();
      if (
        await there.waitFor({ timeout: 10_000 }).then(
          () => true,
          () => false,
        )
      )
        return;
    }
    await there.waitFor({ timeout: 1 });
  }

  async token(): Promise<string | null> {
    return this.page.evaluate<string | null>("localStorage.getItem('authToken')");
  }

  /** The same person and session without the page, for what it does not offer. */
  async overHttp(): Promise<PersonOverHttp> {
    return new PersonOverHttp(this.#url, (await this.token()) ?? '');
  }
}
