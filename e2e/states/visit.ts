import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import type { UserOverHttp } from '../../scripts/simulator-clients/user.ts';
import { signIn } from '../../scripts/simulator-clients/user.ts';
import { User } from '../support/user.ts';
import type { World } from '../support/world.ts';
import { BOSS } from '../support/world.ts';

type Campaigns = Record<string, 'ACTIVE' | 'PAUSED' | 'ARCHIVED'>;

/** What a user is and has done. */
export interface Wish {
  name?: string;
  /** The ad accounts by name, each with its campaigns. */
  accounts?: Record<string, Campaigns>;
  /** Null: no subscription. */
  plan?: 'monthly' | 'yearly' | null;
  /** Null: the setup is not completed. */
  setup?: { email?: string; outageThreshold?: 'LOW' | 'MEDIUM' | 'HIGH'; resumeSettings?: object } | null;
  /** The confirmed address; null: none. */
  confirmed?: string | null;
  /** Campaigns with SmartPause on. */
  on?: readonly string[];
}

export const SHOES = 'Trail Shoes | Prospecting';
export const JACKETS = 'Rain Jackets | Retargeting 30d';
export const GIFTS = 'Gift Cards | Broad';
const EMAIL = 'nora@lind.example';
export const NEWCOMER = { plan: null, setup: null } as const;

const CAMPAIGNS: Campaigns = {
  [SHOES]: 'ACTIVE',
  [JACKETS]: 'ACTIVE',
  'Winter Boots | Lookalike 1%': 'ACTIVE',
  [GIFTS]: 'PAUSED',
  'Spring Clearance | Cart Abandoners': 'PAUSED',
  'Brand Film | Video Views': 'ARCHIVED',
};

/** A page on its way to a state. */
export class Visit {
  readonly page: Page;
  readonly world: World;
  #user: User;
  /** The same user over HTTP, once logged in. */
  #over: UserOverHttp | null = null;
  #isHeld = false;

  constructor(page: Page, world: World) {
    this.page = page;
    this.world = world;
    this.#user = new User(page, world);
  }

  get over(): UserOverHttp {
    if (this.#over === null) throw new Error('no user is logged in');
    return this.#over;
  }

  get id(): string {
    return this.#user.id;
  }

  /** From now on this is a new advertiser. */
  async as(wish: Wish = {}): Promise<void> {
    const { accounts = { 'Lind Outdoor': CAMPAIGNS }, name, plan = 'monthly', setup = {}, on = [] } = wish;
    const { confirmed = EMAIL } = wish;
    if (name !== undefined) this.#user = new User(this.page, this.world, { id: this.id, name });
    await this.#user.hasAccounts(seedsOf(this.id, accounts));
    const over = await signIn(this.world.url, this.id);
    await over.becomesAdvertiser({
      subscribe: plan && (() => this.#subscribes(over, plan, confirmed)),
      setup: setup && { email: EMAIL, ...setup },
      ...(on.length > 0 && { protects: (all) => all.filter(({ name: one }) => on.includes(one)) }),
    });
    this.#over = over;
  }

  #subscribes(over: UserOverHttp, plan: 'monthly' | 'yearly', confirmed: string | null): Promise<void> {
    if (plan === 'monthly') return this.world.plantTrial(over, this.id, confirmed);
    return over.subscribe(this.world.stripe, plan);
  }

  /** From now on an advertiser whose address is not confirmed. @returns the token of the link in the email */
  async linkToken(): Promise<string> {
    const email = 'daniel@gmial.example';
    await this.as({ setup: { email }, confirmed: null });
    const mail = await this.world.mailbox.waitFor(email, /^Confirm your email address/);
    return /#(\S+)/.exec(mail.text ?? '')?.[1] ?? '';
  }

  /** The token of the link that asks another person, who gets this user's channel. */
  async channelToken(): Promise<string> {
    await this.as();
    const events = ['paused', 'not_resumed', 'connection_expiring'];
    const target = 'team@lind.example';
    await this.over.post('/api/destinations', { kind: 'email', name: 'Media team', target, events });
    const mail = await this.world.mailbox.waitFor(target, /^Confirm that you want SmartPause notifications/);
    return /#(\S+)/.exec(mail.text ?? '')?.[1] ?? '';
  }

  /** From now on an advertiser whose confirmed address is to be replaced by another one. */
  async changesAddress(): Promise<void> {
    await this.as();
    const settings = { outageThreshold: 'MEDIUM', resumeSettings: { mode: 'instant' } };
    await this.over.post('/api/user/settings', { ...settings, email: 'nora@lind-outdoor.example' });
  }

  async asBoss(): Promise<void> {
    this.#user = new User(this.page, this.world, { id: BOSS.id, name: 'Ada Boss' });
    await this.#user.hasAccounts([]);
    this.#over = await signIn(this.world.url, BOSS.id);
  }

  /** Sets a status that no page of the payment provider can set. */
  async subscriptionBecomes(status: string): Promise<void> {
    const { text } = await this.world.stripe.portal(await this.over.openPortal()).page();
    await this.world.stripe.setStatus(/name="subscription" value="([^"]+)"/.exec(text)?.[1] ?? '', status);
    await this.over.post('/api/stripe/refresh-subscription');
  }

  async cancels(): Promise<void> {
    await this.over.cancelSubscription(this.world.stripe);
  }

  /** Replies of the server, changed. Without their tag, so that each one has a body. */
  async changes(pattern: string, change: (body: never) => object): Promise<void> {
    await this.page.route(pattern, async (route) => {
      const response = await route.fetch();
      const headers = { ...response.headers(), etag: '' };
      await route.fulfill({ response, headers, json: change((await response.json()) as never) });
    });
  }

  /** The campaign as Meta has it. */
  async campaign(name: string) {
    const all = [...(await this.world.graph.campaigns()).values()];
    const found = all.find((one) => one.name === name && one.account.startsWith(`act_${this.id}`));
    if (found === undefined) throw new Error(`there is no campaign ${name}`);
    return found;
  }

  /** SmartPause has paused two campaigns; a campaign paused before has no hold. */
  async holdsTwo(wish: Wish = {}): Promise<void> {
    await this.as({ on: [SHOES, JACKETS, GIFTS], ...wish });
    await this.world.reports('High disruptions');
    for (const name of [SHOES, JACKETS]) {
      const { id, account } = await this.campaign(name);
      const held = async () => {
        const path = `/api/campaigns/${account}`;
        const { campaigns } = await this.over.get<{ campaigns: { id: string; held: boolean }[] }>(path);
        return campaigns.find((one) => one.id === id)?.held;
      };
      await expect.poll(held, { message: `${name} to be held` }).toBe(true);
    }
  }

  /** Meta refuses all changes of campaigns from now on, and may accept them later. */
  async isRefused(): Promise<void> {
    const words = { userTitle: 'Two-factor authentication required' };
    const error = { kind: 'error', code: 415, subcode: 2859009, ...words, op: 'inner', times: 0 };
    await this.world.graph.fault({ ...error, method: 'POST', user: this.id });
  }

  /** Two campaigns paused and resumed. @returns the path of the outage */
  async hadOutage(): Promise<string> {
    await this.holdsTwo();
    await this.world.advance(47 * 60_000);
    await this.world.reports('Resolved');
    interface Outages {
      outages: { id: string; endedAt: string | null; counts: { resumed: number } }[];
    }
    const last = async () => (await this.over.get<Outages>('/api/outages')).outages[0];
    await expect.poll(async () => (await last())?.counts.resumed).toBe(2);
    return `/activity/${(await last())?.id ?? ''}`;
  }

  /** Opens a page of the product, as this user or logged out. */
  async opens(path: string): Promise<void> {
    if (this.#over === null) await this.page.goto(this.world.url + path);
    else await this.#user.arrivesWith(this.#over.token, path);
    // A page that waits for a call shows only its placeholders.
    await expect(this.page.locator(this.#isHeld ? 'h1, [aria-busy=true]' : 'h1').first()).toBeVisible();
  }

  async opensCampaigns(path = '/'): Promise<void> {
    await this.opens(path);
    await expect(this.page.locator('[data-campaign]').first()).toBeVisible();
  }

  /** A page of Settings by the heading of a section. */
  async opensSettings(page = '', heading = 'SmartPause Settings'): Promise<void> {
    await this.opens(`/settings${page}`);
    await expect(this.page.getByRole('heading', { name: heading })).toBeVisible();
  }

  async sees(words: string | RegExp): Promise<void> {
    await expect(this.page.getByText(words).first()).toBeVisible();
  }

  async presses(name: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name }).first().click();
  }

  /** Calls to these addresses get no response. */
  async holdsBack(addresses: string): Promise<void> {
    this.#isHeld = true;
    await this.page.route(addresses, () => undefined);
  }

  async breaks(addresses: string, status: number, json?: object): Promise<void> {
    await this.page.route(addresses, (route) => route.fulfill({ status, ...(json && { json }) }));
  }

  /** Messages that disappear after 3 to 8 s stay, on pages that are opened afterwards. */
  async keepsTextInPlace(): Promise<void> {
    await this.page.addInitScript(`{
      const later = window.setTimeout;
      window.setTimeout = (act, ms, ...more) => (ms >= 2000 && ms <= 8000 ? 0 : later(act, ms, ...more));
    }`);
  }
}

function seedsOf(user: string, accounts: Record<string, Campaigns>): object[] {
  const objectives = ['OUTCOME_SALES', 'OUTCOME_LEADS', 'OUTCOME_AWARENESS', 'OUTCOME_APP_PROMOTION'];
  return Object.entries(accounts).map(([name, campaigns], at) => ({
    ...{ id: `act_${user}${at}`, name, currency: 'USD' },
    campaigns: Object.entries(campaigns).map(([campaign, status], index) => ({
      ...{ id: `${user}${at}${String(index).padStart(3, '0')}`, name: campaign, status },
      objective: objectives[index % objectives.length],
      daily_budget: String(5000 + 2500 * index),
    })),
  }));
}

/** Reaches one state of one page in the running product. */
export type Reach = (visit: Visit) => Promise<unknown>;

/** The states of one area by name. `area/name@phone` exists only on that screen. */
export type States = Record<string, Reach>;

/** The page as a new user sees it, and the words that show the state. */
export const seenBy =
  (wish: Wish, path: string, words: string | RegExp, status?: string) => async (v: Visit) => {
    await v.as(wish);
    if (status !== undefined) await v.subscriptionBecomes(status);
    await v.opens(path);
    await v.sees(words);
  };
