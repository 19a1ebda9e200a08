import { signIn } from '../../scripts/outside/user.ts';
import type { World } from '../../test/support/world.ts';
import type { Campaign, Kind } from '../invariants/write-log.ts';

/** The incident that is replayed: 9:10 to 11:08 PM on January 8 in New York. */
export const INCIDENT = {
  high: Date.parse('2026-01-09T02:10:00Z'),
  up: Date.parse('2026-01-09T04:08:00Z'),
};

interface Settings {
  userId: string;
  name: string;
  threshold: 'LOW' | 'MEDIUM' | 'HIGH';
  resumeSettings: { mode: string; delay?: { value: number; unit: string } };
  /** The resume time that these settings mean for the incident, computed manually. */
  resumesAt: string;
}

/** Users of the simulated Meta. */
export const ADVERTISERS: readonly Settings[] = [
  {
    ...{ userId: '122093847561029384', name: 'Maya Chen', threshold: 'LOW' },
    ...{ resumeSettings: { mode: 'instant' }, resumesAt: '2026-01-09T04:08:00Z' },
  },
  {
    ...{ userId: '122093847561055501', name: 'Daniel Okafor', threshold: 'MEDIUM' },
    resumeSettings: { mode: 'delay', delay: { value: 30, unit: 'minutes' } },
    resumesAt: '2026-01-09T04:38:00Z',
  },
  {
    ...{ userId: '122093847561077007', name: 'Sofia Lindqvist', threshold: 'HIGH' },
    ...{ resumeSettings: { mode: 'next_day' }, resumesAt: '2026-01-09T05:01:00Z' },
  },
];

export interface Advertiser extends Settings {
  /** Those with SmartPause on that are active are `watched`: they are paused and resumed. No other changes. */
  campaigns: Campaign[];
}

/** Signs in, subscribes, sets up, and turns SmartPause on for all campaigns but the last of each account. */
export async function enter(
  { product, simulators }: World,
  { userId, threshold, resumeSettings, resumesAt, name }: Settings,
): Promise<Advertiser> {
  const user = await signIn(product.url, userId);
  await user.subscribe(simulators.stripe);
  await user.completeSetup({ resumeSettings, outageThreshold: threshold });
  const { adAccounts } = await user.get<{ adAccounts: { id: string }[] }>('/api/ad-accounts');
  const watcher = { threshold, delayMs: Date.parse(resumesAt) - INCIDENT.up };
  const campaigns: Campaign[] = [];
  for (const { id: account } of adAccounts) {
    const { campaigns: listed } = await user.get<{
      campaigns: { id: string; name: string; status: string }[];
    }>(`/api/campaigns/${account}`);
    const sorted = listed.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    for (const [index, one] of sorted.entries()) {
      const isOn = index < sorted.length - 1;
      if (isOn) await user.setSmartPause(account, one.id, true);
      // Of an archived campaign it is enough that no write touches it.
      if (one.status !== 'ARCHIVED')
        campaigns.push({ id: one.id, name: one.name, kind: kindOf(one.status, isOn), watcher });
    }
  }
  return { userId, name, threshold, resumeSettings, resumesAt, campaigns };
}

function kindOf(status: string, isOn: boolean): Kind {
  if (status !== 'ACTIVE') return 'resting';
  return isOn ? 'watched' : 'off';
}

/** Orders faults of Meta for the next writes. */
export async function makeMetaUnreliable({ simulators: { graph } }: World): Promise<string[]> {
  const [maya, daniel, sofia] = ADVERTISERS.map(({ userId }) => userId);
  const inner = { op: 'inner', method: 'POST' };
  await graph.fault({ kind: 'error', code: 2, times: 2, match: { ...inner, user: maya } });
  await graph.fault({ kind: 'null_entry_applied', times: 2, match: { ...inner, user: daniel } });
  await graph.fault({ kind: 'null_entry', times: 1, match: { ...inner, user: daniel } });
  await graph.fault({ kind: 'applied_but_error', code: 1, times: 2, match: { ...inner, user: sofia } });
  await graph.fault({ kind: 'html', times: 1, match: { user: sofia, method: 'GET' } });
  return [
    'Maya: code 2 for two writes',
    'Daniel: two writes done but cut off, one not done and cut off',
    'Sofia: two writes done but answered with an error, one HTML page instead of a list',
  ];
}
