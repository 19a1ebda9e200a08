// Answers exactly with the fields of sections 3 and 7 of the specification. Imports nothing of the product.

type Campaign = Record<'id' | 'name' | 'status' | 'objective' | 'smartPauseSetting', string>;

interface Subscription {
  status: string;
  planType: string;
  currentPeriodEnd: string;
  canceledAt: string | null;
  trialEnd: string | null;
}

/** The data of a server that follows the specification; a test changes it. */
export interface SpecWorld {
  user: { name: string; isInitialized: boolean; roles: string[] };
  /** `GET /api/me` returns the user itself, or an object that contains the user. */
  isUserBare: boolean;
  platform: { status: string; message: string };
  userStatus: { resumeSettings?: object; outageThreshold?: string; email?: string; resumeAt?: string };
  adAccounts: { id: string; name: string }[];
  campaigns: Campaign[];
  subscription: { hasActiveSubscription: boolean; subscription: Subscription | null };
  /** The address of the checkout and of the portal; null: the server returns none. */
  link: string | null;
  admin: { trueMetaStatus: string; adminDirective: string; effectiveStatus: string; isOverridden: boolean };
  /** The response of an action whose response the specification does not show. */
  done: object | '';
  /** Overrides by call: 'POST /api/campaigns/1/pause'. A number is a status. */
  failures: Record<string, object | number>;
  /** The only token that the server accepts. */
  token: string;
  /** The document at `/`; every other address without a file returns index.html. */
  home: 'index.html' | 'landing.html';
}

type Answer = object | '' | number;

/** @param call 'POST /api/user/settings' @returns a status for a refusal, '' for a response without a body */
export function answerTo(call: string, body: string, world: SpecWorld): Answer {
  const known = world.failures[call] ?? reads(world)[call];
  if (known !== undefined) return known;
  if (call === 'POST /api/user/settings') {
    Object.assign(world.userStatus, JSON.parse(body));
    return world.done;
  }
  if (call === 'POST /api/user/initialize') {
    Object.assign(world.userStatus, JSON.parse(body));
    world.user.isInitialized = true;
    world.token = 'the-token-after-the-setup';
    return { token: world.token };
  }
  if (call === 'POST /api/account/deauthorize' || call === 'POST /api/account/delete') {
    world.token = 'the-token-of-the-next-login';
    return world.done;
  }
  if (call.startsWith('POST /api/campaigns/') || call.startsWith('POST /api/smartpause/')) {
    return changeCampaign(call, body, world);
  }
  return call.startsWith('POST /api/admin/') ? override(call.split('/').at(-1) ?? '', world) : 404;
}

function reads(world: SpecWorld): Record<string, Answer> {
  const { admin, platform } = world;
  return {
    'GET /api/me': world.isUserBare ? world.user : { user: world.user },
    'GET /api/status': platform,
    'GET /api/user/status': { status: world.userStatus },
    'GET /api/ad-accounts': { adAccounts: world.adAccounts },
    [`GET /api/campaigns/${world.adAccounts[0]?.id}`]: { campaigns: world.campaigns },
    'GET /api/stripe/subscription': world.subscription,
    'POST /api/stripe/create-checkout-session': world.link === null ? {} : { checkoutUrl: world.link },
    'POST /api/stripe/create-portal-session': world.link === null ? {} : { portalUrl: world.link },
    'GET /api/admin/stats': { totalUsers: 7, activeUsers: 5, smartPauseCampaigns: 3 },
    'GET /api/admin/recent-activity': {
      activities: [
        {
          id: 1,
          type: 'pause',
          message: 'Paused Shoes',
          user: 'Nora',
          timestamp: '2026-01-08T21:10:00-05:00',
        },
      ],
    },
    'GET /api/admin/status': { ...admin, statusMessage: platform.message },
  };
}

function changeCampaign(call: string, body: string, world: SpecWorld): Answer {
  const [, id, act] = /\/(\d+)(?:\/(pause|resume))?$/.exec(call) ?? [];
  const campaign = world.campaigns.find((one) => one.id === id);
  if (campaign === undefined) return 404;
  if (act !== undefined) campaign.status = act === 'pause' ? 'PAUSED' : 'ACTIVE';
  else campaign.smartPauseSetting = (JSON.parse(body) as { enabled: boolean }).enabled ? 'On' : 'Off';
  return world.done;
}

const FORCED = new Map([
  ['force-up', 'UP'],
  ['force-low', 'LOW_DISRUPTION'],
  ['force-medium', 'MEDIUM_DISRUPTION'],
  ['force-high', 'HIGH_DISRUPTION'],
]);

function override(action: string, { admin, platform, done }: SpecWorld): Answer {
  const level = FORCED.get(action);
  if (level !== undefined) {
    Object.assign(admin, { adminDirective: action, effectiveStatus: level, isOverridden: true });
    platform.status = level;
  }
  return done;
}

const PERIOD_END = '2099-01-31T00:00:00+01:00';

/** An advertiser with a running subscription whose account is set up. */
export function newWorld(change: Partial<SpecWorld> = {}): SpecWorld {
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

export function subscribed(status: string, hasActiveSubscription: boolean): SpecWorld['subscription'] {
  const subscription = {
    status,
    planType: 'yearly',
    currentPeriodEnd: hasActiveSubscription ? PERIOD_END : '2026-01-31T00:00:00Z',
    canceledAt: status === 'canceled' ? '2026-01-02T00:00:00Z' : null,
    trialEnd: status === 'trialing' ? PERIOD_END : null,
  };
  return { hasActiveSubscription, subscription };
}
