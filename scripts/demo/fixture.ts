import type { ControlClient } from '../outside/control-client.ts';
import type { UserOverHttp } from '../outside/user.ts';
import { signIn } from '../outside/user.ts';
import type { StripeControlClient } from '../outside/stripe.ts';

/** An advertiser of the demo, with their settings. */
export interface Role {
  userId: string;
  name: string;
  threshold: 'LOW' | 'MEDIUM' | 'HIGH';
  resumeSettings: { mode: string; delay?: { value: number; unit: string } };
  /** The resume time that these settings mean for the incident, computed manually. */
  resumesAt: string;
}

/** The incident of 2026-01-09: High from 02:10Z to 04:08Z, which is 9:10 to 11:08 PM in New York. */
export const CAST: Role[] = [
  {
    userId: '122093847561029384',
    name: 'Maya Chen',
    threshold: 'LOW',
    resumeSettings: { mode: 'instant' },
    resumesAt: '2026-01-09T04:08:00Z',
  },
  {
    userId: '122093847561055501',
    name: 'Daniel Okafor',
    threshold: 'MEDIUM',
    resumeSettings: { mode: 'delay', delay: { value: 30, unit: 'minutes' } },
    resumesAt: '2026-01-09T04:38:00Z',
  },
  {
    userId: '122093847561077007',
    name: 'Sofia Lindqvist',
    threshold: 'HIGH',
    resumeSettings: { mode: 'next_day' },
    resumesAt: '2026-01-09T05:01:00Z',
  },
];

export interface Player extends Role {
  user: UserOverHttp;
  accounts: string[];
  /** SmartPause is on and the campaign is active: it is paused and resumed. */
  expected: string[];
  /** All other campaigns of the user: they do not change. */
  others: string[];
}

interface Listed {
  id: string;
  status: string;
}

/** Signs in, subscribes, sets up, and turns SmartPause on for all campaigns but the last of each account. */
export async function enter(
  role: Role,
  { url, stripe }: { url: string; stripe: StripeControlClient },
): Promise<Player> {
  const user = await signIn(url, role.userId);
  await user.subscribe(stripe);
  await user.completeSetup({ resumeSettings: role.resumeSettings, outageThreshold: role.threshold });
  const { adAccounts } = await user.get<{ adAccounts: { id: string }[] }>('/api/ad-accounts');
  const player: Player = {
    ...role,
    user,
    accounts: adAccounts.map(({ id }) => id),
    expected: [],
    others: [],
  };
  for (const { id: account } of adAccounts) {
    const { campaigns } = await user.get<{ campaigns: Listed[] }>(`/api/campaigns/${account}`);
    const on = campaigns.toSorted((a, b) => (a.id < b.id ? -1 : 1)).slice(0, -1);
    for (const { id } of on) await user.setSmartPause(account, id, true);
    player.expected.push(...on.filter(({ status }) => status === 'ACTIVE').map(({ id }) => id));
    player.others.push(...campaigns.map(({ id }) => id).filter((id) => !player.expected.includes(id)));
  }
  return player;
}

/** Orders faults of Meta for the pauses and the resumes. */
export async function makeMetaUnreliable(graph: ControlClient): Promise<string[]> {
  const [maya, daniel, sofia] = CAST.map(({ userId }) => userId);
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
