import type { World } from './server.ts';

export const PERIOD_END = '2099-01-31T00:00:00+01:00';

/** An advertiser with a running subscription whose account is set up. */
export function newWorld(change: Partial<World> = {}): World {
  return {
    user: { name: 'Nora Lind', isInitialized: true, roles: [] },
    isUserBare: false,
    platform: { status: 'UP', message: 'No known issues' },
    userStatus: {
      resumeSettings: { mode: 'next-day' },
      outageThreshold: 'MEDIUM',
      email: 'nora@lind.example',
    },
    adAccounts: [{ id: 'act_1', name: 'Lind Outdoor' }],
    campaigns: [
      campaign('1', 'Hats', 'PAUSED', 'On'),
      campaign('2', 'Boots', 'PAUSED', 'Deactivated'),
      campaign('3', 'Coats', 'ARCHIVED', 'OFF'),
      campaign('4', 'Shoes', 'ACTIVE', 'Off'),
    ],
    subscription: subscribed('active', true),
    link: null,
    admin: {
      trueMetaStatus: 'UP',
      adminDirective: 'clear',
      effectiveStatus: 'UP',
      isOverridden: false,
    },
    done: '',
    failures: {},
    token: 'the-token-of-the-login',
    home: 'index.html',
    ...change,
  };
}

function campaign(id: string, name: string, status: string, smartPauseSetting: string) {
  return { id, name, status, objective: 'OUTCOME_SALES', smartPauseSetting };
}

export const ADMIN = { name: 'Nora Lind', isInitialized: true, roles: ['developers'] };

export const NEVER_SUBSCRIBED = { hasActiveSubscription: false, subscription: null };

export function subscribed(status: string, hasActiveSubscription: boolean): World['subscription'] {
  const subscription = {
    status,
    planType: 'yearly',
    currentPeriodEnd: hasActiveSubscription ? PERIOD_END : '2026-01-31T00:00:00Z',
    canceledAt: status === 'canceled' ? '2026-01-02T00:00:00Z' : null,
    trialEnd: status === 'trialing' ? PERIOD_END : null,
  };
  return { hasActiveSubscription, subscription };
}
