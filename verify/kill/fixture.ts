import type { Simulators } from '../../scripts/outside/simulators.ts';
import type { UserOverHttp } from '../../scripts/outside/user.ts';
import { signIn } from '../../scripts/outside/user.ts';
import type { Campaign, Kind, Watcher } from '../invariants/write-log.ts';

export interface FixtureCampaign extends Campaign {
  account: string;
  owner: UserOverHttp;
}

const KINDS: Kind[] = ['watched', 'watched', 'watched', 'resting', 'off', 'manual'];
const MINUTE = 60_000;
const WATCHERS: Watcher[] = [
  { threshold: 'LOW', delayMs: 0 },
  { threshold: 'MEDIUM', delayMs: 0 },
  { threshold: 'HIGH', delayMs: 0 },
  { threshold: 'LOW', delayMs: MINUTE },
  { threshold: 'MEDIUM', delayMs: MINUTE },
];

export const nameOfAccount = (id: string): string => `Account ${id.slice('act_'.length)}`;

/** Users who sign up and set up, each with one ad account. */
export async function enterFixture(simulators: Simulators, url: string): Promise<FixtureCampaign[]> {
  const entered: FixtureCampaign[] = [];
  for (const [index, watcher] of WATCHERS.entries()) {
    const userId = `7100${index}`;
    const account = `act_8100${index}`;
    const campaigns = KINDS.map((kind, number) => ({
      ...{ id: `9100${index}${number}`, name: `Campaign ${index}${number} ${kind}`, kind, account },
      watchers: [watcher],
    }));
    const seeded = campaigns.map(({ id, name, kind }) => {
      return { id, name, status: kind === 'resting' ? 'PAUSED' : 'ACTIVE' };
    });
    const accounts = [{ id: account, name: nameOfAccount(account), currency: 'USD', campaigns: seeded }];
    await simulators.graph.post('/seed', { users: [{ id: userId, name: `User ${index}`, accounts }] });
    const owner = await signIn(url, userId);
    await owner.subscribe(simulators.stripe);
    const delay = { mode: 'delay', delay: { value: watcher.delayMs / MINUTE, unit: 'minutes' } };
    await owner.completeSetup({
      resumeSettings: watcher.delayMs === 0 ? { mode: 'instant' } : delay,
      ...{ outageThreshold: watcher.threshold, email: `user${index}@example.com` },
    });
    await owner.get('/api/ad-accounts');
    await owner.get(`/api/campaigns/${account}`);
    for (const { id, kind } of campaigns)
      if (kind === 'watched' || kind === 'resting') await owner.setSmartPause(account, id, true);
    entered.push(...campaigns.map((one) => ({ ...one, owner })));
  }
  return entered;
}
