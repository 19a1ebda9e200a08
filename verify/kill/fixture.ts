import type { UserOverHttp } from '../../scripts/outside/user.ts';
import { signIn } from '../../scripts/outside/user.ts';
import type { Simulators } from '../../scripts/outside/simulators.ts';
import type { Campaign, Kind, Watcher } from '../invariants/write-log.ts';

export interface FixtureCampaign extends Campaign {
  account: string;
  /** Indexes of the users with the campaign in one of their ad accounts. */
  owners: number[];
}

export interface User extends Watcher {
  index: number;
  email: string;
  session: UserOverHttp;
}

export interface Fixture {
  users: User[];
  campaigns: FixtureCampaign[];
}

const OWN: Kind[] = ['watched', 'watched', 'watched', 'resting', 'off', 'toggled', 'manual', 'external'];
const SHARED: Kind[] = ['watched', 'watched', 'watched', 'resting', 'off'];
const FOREIGN: Kind[] = ['foreign', 'foreign', 'foreign'];
const ON_AT_FIRST: readonly Kind[] = ['watched', 'resting', 'toggled', 'external'];
const THRESHOLDS = ['LOW', 'MEDIUM', 'HIGH'] as const;
/** The index of the user whose campaigns resume after a minute; a short run has fewer users. */
const WITH_DELAY = 5;

interface Account {
  id: string;
  kinds: Kind[];
  owners: number[];
}

/** Plants users, ad accounts and campaigns on Meta; then all but the last user sign up and set up. */
export async function enterFixture(simulators: Simulators, url: string, count: number): Promise<Fixture> {
  const indexes = Array.from({ length: count }, (_, index) => index);
  const watchers: Watcher[] = indexes.map((index) => ({
    threshold: THRESHOLDS[index % THRESHOLDS.length] ?? 'MEDIUM',
    delayMs: index === WITH_DELAY ? 60_000 : 0,
  }));
  const accounts: Account[] = [
    ...indexes.map((index) => ({ id: accountId(index), kinds: OWN, owners: [index] })),
    { id: accountId(90), kinds: SHARED, owners: indexes.slice(0, 2) },
    { id: accountId(99), kinds: FOREIGN, owners: [count] },
  ];
  const campaigns = accounts.flatMap(({ id: account, kinds, owners }, at) =>
    kinds.map((kind, number) => ({
      id: `9100${String(at).padStart(4, '0')}${String(number).padStart(4, '0')}`,
      name: `${nameOfAccount(account)} ${kind} ${number}`,
      account,
      kind,
      owners,
      watchers: owners.flatMap((owner) => watchers[owner] ?? []),
    })),
  );
  const users = [...indexes, count].map((index) => ({
    id: userIdOf(index),
    name: `User ${index}`,
    accounts: accounts
      .filter(({ owners }) => owners.includes(index))
      .map(({ id }) => ({ id, name: nameOfAccount(id), currency: 'USD', campaigns: seeded(campaigns, id) })),
  }));
  await simulators.graph.post('/seed', { users });
  const entered: User[] = [];
  for (const [index, watcher] of watchers.entries())
    entered.push(await enter(simulators, url, { index, watcher, campaigns }));
  return { users: entered, campaigns };
}

export function nameOfAccount(id: string): string {
  return `Account ${id.slice(-2)}`;
}

function accountId(number: number): string {
  return `act_8100${String(number).padStart(6, '0')}`;
}

function userIdOf(index: number): string {
  return `7100${String(index).padStart(6, '0')}`;
}

function seeded(campaigns: readonly FixtureCampaign[], account: string): object[] {
  return campaigns
    .filter((one) => one.account === account)
    .map(({ id, name, kind }, number) => ({
      id,
      name,
      status: kind === 'resting' ? 'PAUSED' : 'ACTIVE',
      daily_budget: String(1000 + number),
    }));
}

async function enter(
  simulators: Simulators,
  url: string,
  given: { index: number; watcher: Watcher; campaigns: readonly FixtureCampaign[] },
): Promise<User> {
  const { index, watcher, campaigns } = given;
  const email = `user${index}@example.com`;
  const session = await signIn(url, userIdOf(index));
  await session.subscribe(simulators.stripe);
  const delay = { value: watcher.delayMs / 60_000, unit: 'minutes' };
  await session.completeSetup({
    resumeSettings: watcher.delayMs === 0 ? { mode: 'instant' } : { mode: 'delay', delay },
    outageThreshold: watcher.threshold,
    email,
  });
  await session.get('/api/ad-accounts');
  const own = campaigns.filter(({ owners }) => owners.includes(index));
  for (const account of new Set(own.map((one) => one.account)))
    await session.get(`/api/campaigns/${account}`);
  for (const { account, id } of own.filter(({ kind }) => ON_AT_FIRST.includes(kind)))
    await session.setSmartPause(account, id, true);
  return { ...watcher, index, email, session };
}
