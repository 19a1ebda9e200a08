import type { Locator, Page } from 'playwright-core';
import type { ControlClient } from '../outside/control-client.ts';
import type { StripeControlClient } from '../outside/stripe.ts';
import { UserOverHttp, signIn } from '../outside/user.ts';
import { waitFor } from '../outside/wait-for.ts';

export interface Setup {
  resume: { delayMinutes: number } | 'instant';
  threshold?: 'LOW' | 'MEDIUM' | 'HIGH';
}

/** Opens the page as a login does: with the token in the address, and the cookie that announces it. */
export async function arrives(page: Page, address: string, token: string): Promise<void> {
  const url = new URL(address);
  url.searchParams.set('token', token);
  const value = token.slice(0, 12);
  await page.context().addCookies([{ name: 'smartpause_arrival', value, url: url.origin }]);
  await page.goto(url.href);
}

/** What a user does in the browser, in the user's terms. */
export class User {
  readonly page: Page;
  readonly #product: { url: string; graph: ControlClient; stripe: StripeControlClient };

  constructor(page: Page, product: { url: string; graph: ControlClient; stripe: StripeControlClient }) {
    this.page = page;
    this.#product = product;
  }

  async opens(path: string): Promise<void> {
    await this.page.goto(this.#product.url + path);
  }

  async presses(name: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name }).click();
  }

  /** Opens a page behind the login while signed out: it redirects to the landing page. */
  async isSentHomeFrom(path: string): Promise<void> {
    await this.opens(path);
    // A click on a document that is about to be replaced has no effect.
    await this.page.locator('#root[data-prerendered][data-alive]').waitFor();
  }

  /** Opens the login dialog from the current page. */
  async goesToTheDialog(): Promise<void> {
    await this.page.getByRole('link', { name: 'Log In' }).first().click();
    await this.page.getByRole('button', { name: 'Cancel' }).waitFor();
  }

  /** Completes the login dialog and follows the redirect. */
  async continuesAs(name: string): Promise<void> {
    await this.opens('/');
    await this.goesToTheDialog();
    await this.presses(`Continue as ${name}`);
  }

  /** Signed in without the login dialog. */
  async signsInAs(name: string, path = '/'): Promise<void> {
    const { token } = await this.#signIn(name);
    await arrives(this.page, this.#product.url + path, token);
    await this.isSignedIn();
  }

  async isSignedIn(): Promise<void> {
    await this.page.getByRole('button', { name: /^(Log out$|Open menu, Meta)/ }).waitFor();
  }

  /** Signed in and subscribed, at the campaigns or the settings. Without a setup when it is null. */
  async arrivesAs(name: string, setup: Setup | null = { resume: 'instant' }, path = '/'): Promise<void> {
    const over = await this.#signIn(name);
    await over.subscribe(this.#product.stripe);
    if (setup !== null) await over.completeSetup(settingsOf(setup));
    await arrives(this.page, this.#product.url + path, over.token);
    const loaded = path === '/' ? this.campaignRows().first() : this.page.getByLabel('Email');
    await loaded.waitFor();
  }

  async #signIn(name: string): Promise<UserOverHttp> {
    const { users } = await this.#product.graph.ask<{ users: { id: string; name: string }[] }>(
      'GET',
      '/state',
    );
    return signIn(this.#product.url, users.find((user) => user.name === name)?.id ?? '');
  }

  /** Completes the checkout without the page. */
  async subscribes(
    planType: 'monthly' | 'yearly' = 'monthly',
    card: 'good' | 'fails_at_renewal' = 'good',
  ): Promise<void> {
    const over = await this.overHttp();
    const { checkoutUrl } = await over.post<{ checkoutUrl: string }>('/api/stripe/create-checkout-session', {
      planType,
    });
    await this.#product.stripe.pay(checkoutUrl, card);
    await over.post('/api/stripe/refresh-subscription');
  }

  /** Cancels in the billing portal, without its page. */
  async cancelsSubscription(): Promise<void> {
    const over = await this.overHttp();
    const { portalUrl } = await over.post<{ portalUrl: string }>('/api/stripe/create-portal-session', {});
    await this.#product.stripe.portal(portalUrl).cancel();
    await over.post('/api/stripe/refresh-subscription');
    await this.page.reload();
  }

  /** Submits the settings form: resume immediately. */
  async completesSetup(): Promise<void> {
    await this.opens('/settings');
    await this.page.getByLabel('Email').fill('nora@lind.example');
    await this.page.getByRole('radio', { name: 'Immediately' }).check();
    await this.page.getByRole('checkbox').check();
    await this.presses('Complete Account Setup');
    await this.sees('Account initialized successfully!');
  }

  /** @param choice the button of the dialog that asks first: during a threshold match, or on a held campaign */
  async turnsSmartPause(to: 'on' | 'off', campaign: string, choice?: string): Promise<void> {
    const saved = this.page.waitForResponse((answer) => answer.url().includes('/api/smartpause/'));
    if (choice === undefined) await this.switchOf(campaign).setChecked(to === 'on');
    else {
      await this.switchOf(campaign).click();
      await this.chooses(choice);
    }
    await saved;
  }

  /** Turns SmartPause on or off for the selected campaigns, after the confirmation. */
  async turnsSelected(
    to: 'on' | 'off',
    choice: string | RegExp = new RegExp(`^Turn ${to} for`),
  ): Promise<void> {
    await this.presses(new RegExp(`^Turn SmartPause ${to}`));
    await this.chooses(choice);
  }

  /** Presses a button of the open dialog. */
  async chooses(name: string | RegExp): Promise<void> {
    await this.page.getByRole('dialog').getByRole('button', { name }).click();
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

  /** The rows without the column headers. */
  campaignRows(): Locator {
    return this.campaigns().locator('[data-campaign]');
  }

  /** The row of one campaign. */
  campaign(name: string): Locator {
    return this.campaignRows().filter({ hasText: name });
  }

  /** Waits without an action: the page receives updates by itself. */
  async sees(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor();
  }

  async noLongerSees(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor({ state: 'hidden' });
  }

  async seesCampaign(name: string, text: string | RegExp): Promise<void> {
    await this.campaign(name).getByText(text, { exact: true }).first().waitFor();
  }

  /** Reloads until the text is there, instead of waiting for an update. */
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

  /** Waits until the server has read this level from the status page. */
  async serverKnows(level: 'UP' | 'HIGH_DISRUPTION'): Promise<void> {
    const over = await this.overHttp();
    await waitFor(`the server to know ${level}`, async () => {
      return (await over.get<{ status: string }>('/api/status')).status === level;
    });
  }

  /** The same user and session over HTTP, for what the page does not offer. */
  async overHttp(): Promise<UserOverHttp> {
    return new UserOverHttp(this.#product.url, (await this.token()) ?? '');
  }
}

function settingsOf({ resume, threshold = 'MEDIUM' }: Setup) {
  const resumeSettings =
    resume === 'instant'
      ? { mode: 'instant' }
      : { mode: 'delay', delay: { value: resume.delayMinutes, unit: 'minutes' } };
  return { email: 'nora@lind.example', resumeSettings, outageThreshold: threshold };
}
