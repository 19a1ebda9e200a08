import type { PersonOverHttp } from '../outside/person.ts';
import { signIn } from '../outside/person.ts';
import type { Simulators } from '../outside/simulators.ts';

/**
 * What happens to a campaign during a run. `watched`: SmartPause on, running. `resting`: SmartPause on, paused by its
 * owner before. `off`: SmartPause never on. `toggled`: turned off and on. `pressed`: off, paused and resumed by the
 * buttons of the page. `handed`: SmartPause on, changed in Ads Manager. `foreign`: of somebody who does not use us.
 */
export const KINDS = ['watched', 'resting', 'off', 'toggled', 'pressed', 'handed', 'foreign'] as const;
export type Kind = (typeof KINDS)[number];

export type Threshold = 'LOW' | 'MEDIUM' | 'HIGH';

export interface Watcher {
  index: number;
  threshold: Threshold;
  /** How long after the match its campaigns are resumed. */
  delayMs: number;
}

export interface CastCampaign {
  id: string;
  name: string;
  account: string;
  accountName: string;
  kind: Kind;
  /** Who has it in an ad account of theirs. */
  watchers: Watcher[];
}

export interface Member extends Watcher {
  userId: string;
  email: string;
  person: PersonOverHttp;
  /** Shared ones included. */
  accounts: string[];
}

export interface Cast {
  members: Member[];
  campaigns: CastCampaign[];
}

const OWN: Kind[] = ['watched', 'watched', 'watched', 'resting', 'off', 'toggled', 'pressed', 'handed'];
const SHARED: Kind[] = ['watched', 'watched', 'watched', 'resting', 'off'];
const FOREIGN: Kind[] = ['foreign', 'foreign', 'foreign'];
const THRESHOLDS: Threshold[] = ['LOW', 'MEDIUM', 'HIGH'];

interface PlannedAccount {
  id: string;
  name: string;
  kinds: Kind[];
  owners: number[];
}

export interface CastSize {
  people: number;
  /** Whether one of them has their campaigns resumed a minute later instead of at once. */
  withDelay: boolean;
}

/** Plants people, ad accounts and campaigns on the platform; then all but the stranger sign up and set up. */
export async function enterCast(simulators: Simulators, url: string, size: CastSize): Promise<Cast> {
  const { accounts, watchers } = planCast(size);
  const campaigns = accounts.flatMap((account, at) => campaignsOf(account, at, watchers));
  await simulators.graph.post('/limits', { tier: 'off' });
  await simulators.graph.post('/seed', { users: seedUsers(accounts, campaigns, size.people) });
  const members: Member[] = [];
  for (const watcher of watchers) {
    const own = accounts.filter(({ owners }) => owners.includes(watcher.index)).map(({ id }) => id);
    members.push(await enter(simulators, url, { watcher, accounts: own, campaigns }));
  }
  return { members, campaigns };
}

function planCast({ people, withDelay }: CastSize): { accounts: PlannedAccount[]; watchers: Watcher[] } {
  const watchers = Array.from({ length: people }, (_, index) => ({
    index,
    threshold: THRESHOLDS[index % THRESHOLDS.length] ?? 'MEDIUM',
    delayMs: withDelay && index === people - 1 ? 60_000 : 0,
  }));
  const account = (number: number, kinds: Kind[], owners: number[]): PlannedAccount => ({
    id: `act_8100${String(number).padStart(6, '0')}`,
    name: `Account ${String(number).padStart(2, '0')}`,
    kinds,
    owners,
  });
  const accounts = [
    ...watchers.map(({ index }) => account(index, OWN, [index])),
    account(90, SHARED, [0, 1]),
    account(
      91,
      SHARED,
      [0, 1, 2].filter((index) => index < people),
    ),
    account(99, FOREIGN, [people]),
  ];
  return { accounts, watchers };
}

function campaignsOf(account: PlannedAccount, at: number, watchers: readonly Watcher[]): CastCampaign[] {
  return account.kinds.map((kind, number) => ({
    id: `9100${String(at).padStart(4, '0')}${String(number).padStart(4, '0')}`,
    name: `${account.name} ${kind} ${number}`,
    account: account.id,
    accountName: account.name,
    kind,
    watchers: watchers.filter(({ index }) => account.owners.includes(index)),
  }));
}

function seedUsers(
  accounts: readonly PlannedAccount[],
  campaigns: readonly CastCampaign[],
  people: number,
): object[] {
  const seeded = accounts.map((account) => ({
    id: account.id,
    name: account.name,
    currency: 'USD',
    campaigns: campaigns
      .filter((one) => one.account === account.id)
      .map(({ id, name, kind }, number) => ({
        id,
        name,
        status: kind === 'resting' ? 'PAUSED' : 'ACTIVE',
        daily_budget: String(1000 + number),
      })),
  }));
  return Array.from({ length: people + 1 }, (_, index) => ({
    id: userIdOf(index),
    name: `Person ${index}`,
    accounts: seeded.filter((_one, at) => accounts[at]?.owners.includes(index) === true),
  }));
}

function userIdOf(index: number): string {
  return `7100${String(index).padStart(6, '0')}`;
}

async function enter(
  simulators: Simulators,
  url: string,
  given: { watcher: Watcher; accounts: string[]; campaigns: readonly CastCampaign[] },
): Promise<Member> {
  const { watcher, accounts, campaigns } = given;
  const userId = userIdOf(watcher.index);
  const email = `person${watcher.index}@example.com`;
  const person = await signIn(url, userId);
  await person.subscribe(simulators.stripe);
  const delay = { value: watcher.delayMs / 60_000, unit: 'minutes' };
  await person.completeSetup({
    resumeSettings: watcher.delayMs === 0 ? { mode: 'instant' } : { mode: 'delay', delay },
    outageThreshold: watcher.threshold,
    email,
  });
  await person.get('/api/ad-accounts');
  for (const account of accounts) {
    await person.get(`/api/campaigns/${account}`);
    const on = campaigns.filter((one) => one.account === account && isOnAtFirst(one.kind));
    for (const { id } of on) await person.setSmartPause(account, id, true);
  }
  return { ...watcher, userId, email, person, accounts };
}

function isOnAtFirst(kind: Kind): boolean {
  return kind === 'watched' || kind === 'resting' || kind === 'toggled' || kind === 'handed';
}
