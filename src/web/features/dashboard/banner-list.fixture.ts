import type { Campaign, HeldAccount, PlatformStatus, UserStatus } from '#contract/shapes.ts';
import { minutes } from '#core/time.ts';
import type { Banner } from '../banners/banner.ts';
import type { DashboardFacts } from '../campaigns/dashboard-facts.ts';
import { bannersOf } from './banner-list.ts';

export const NOW = Date.parse('2026-01-09T02:30:00Z');
export const at = (ago: number) => new Date(NOW - minutes(ago)).toISOString();
export const is = (level: PlatformStatus['status']): PlatformStatus => ({ status: level, message: '' });
export const UP = is('UP');
export const HIGH: PlatformStatus = {
  ...is('HIGH_DISRUPTION'),
  ...{ since: at(3), downSince: at(12), down: [{ name: 'Ads Delivery', level: 'HIGH_DISRUPTION' }] },
};

export const outdoor: HeldAccount = { id: 'act_1', name: 'Lind Outdoor', count: 2 };
export const kids: HeldAccount = { id: 'act_2', name: 'Lind Kids', count: 1 };
const spend = (count: number, budget: number, unknownBudgets = 0) => ({ count, budget, unknownBudgets });
type Counts = Partial<Record<'on' | 'off' | 'blocked' | 'resumed' | 'checking', number>>;
export const covers = (given: Counts & { isUnread?: true }) => {
  const { on = 0, off = 0, blocked = 0, resumed, checking, isUnread } = given;
  const groups = {
    protected: spend(on, on * 100),
    open: spend(off, off * 1000),
    blocked: spend(blocked, blocked * 500),
    ...(resumed !== undefined && { resumed: spend(resumed, resumed * 900) }),
    ...(checking !== undefined && { checking: spend(checking, checking * 900) }),
  };
  return { id: 'act_1', name: 'Lind Outdoor', currency: 'EUR', isUnread, ...groups };
};
export const UNREAD = { ...covers({}), id: 'act_9', name: 'Lind Tents', isUnread: true } as const;
/** As the server sends it: in a match with the counts of the match. */
export const quiet = (...coverage: ReturnType<typeof covers>[]) => ({
  heldCampaigns: 0,
  heldAccounts: [],
  coverage,
});
export const matched = (...coverage: ReturnType<typeof covers>[]) => ({
  ...quiet(...coverage),
  protectedRunning: 2,
});
export const TWO = { heldCampaigns: 2, heldAccounts: [outdoor] };
export const THREE = { heldCampaigns: 3, heldAccounts: [outdoor, kids] };

export const runs = (name: string, given: object = {}): Campaign => ({
  ...{ id: name, name, status: 'ACTIVE', objective: 'SALES', smartPauseSetting: 'OFF', held: false },
  ...given,
});
export const isHeld = { status: 'PAUSED', smartPauseSetting: 'ON', held: true } as const;
/** More campaigns than anything names. */
const LISTS: DashboardFacts['lists'] = [
  { id: 'act_1', state: 'read', campaigns: ['A', 'B', 'C', 'D'].map((name) => runs(name)) },
];

export type Given = Partial<Omit<DashboardFacts, 'user'>> & { user?: Partial<UserStatus> };

export function shown({ user, ...given }: Given): Banner[] {
  const settings = {
    resumeSettings: { mode: 'instant' },
    outageThreshold: 'MEDIUM',
    email: null,
    resumeAt: null,
  } as const;
  const page = { code: null, missing: null, access: 'ok', lacking: null, leaving: null } as const;
  const usual = {
    now: NOW,
    status: HIGH,
    accounts: [],
    lists: LISTS,
    isSetUp: true,
    setup: null,
    plansAt: null,
    isTrialAvailable: true,
    trial: null,
    hasActivity: true,
    hasPauseAll: true,
  };
  return bannersOf({ ...page, ...usual, ...given, user: { ...settings, ...user } });
}

/** One line for each banner: kind, tone, what it says, what it offers. */
export function told(given: Given): string[] {
  return shown(given).map(({ kind, tone, headline, figures = [], title, sentences, acts }) => {
    const offers = acts.map((act) => ('label' in act ? act.label : act.act));
    const says = [
      headline,
      ...figures.map(({ value, label, detail = '' }) =>
        `${value} ${label} ${detail}`.trim().replace(/ +/g, ' '),
      ),
      title,
      ...sentences,
    ];
    const words = says.filter((one) => one !== undefined).join(' | ');
    return `${kind} ${tone}: ${words}${offers.length === 0 ? '' : ` [${offers.join(', ')}]`}`;
  });
}

export const LOW: PlatformStatus = {
  ...is('LOW_DISRUPTION'),
  down: [{ name: 'Ads Delivery', level: 'LOW_DISRUPTION' }],
};
export const SOON = '2026-01-09T02:47:00.000Z';
