import { SUSPENDED } from '#core/app-state.ts';
import type { UserStatus } from '#contract/shapes.ts';
import { counted, namesLabel } from '#core/labels.ts';
import type { NotProtected } from '#core/smartpause/blockers.ts';
import { NOT_PROTECTED } from '#core/smartpause/blockers.ts';
import type { Instant } from '#core/time.ts';
import type { Act, Banner } from '../banners/banner.ts';
import { inOrder } from '../banners/banner.ts';
import { pageBanners } from '../banners/page-banners.ts';
import { adsManagerAddress } from './ads-manager.ts';
import type { BannerFacts } from './banner-facts.ts';
import { RECONNECT } from './banner-facts.ts';
import { outageBanner, statusBanner } from './outage-banners.ts';
import { delayCopy, isDelayed, lapsedCopy, scheduledCopy, shownAccounts } from './outage-copy.ts';
import { protectionBanner } from './protection-banner.ts';

/** All banners of the dashboard in their order. */
export function bannersOf(facts: BannerFacts): Banner[] {
  const { user } = facts;
  return inOrder([
    ...pageBanners(facts),
    user?.isSuspended === true ? SUSPENDED_BANNER : null,
    outageBanner(facts),
    statusBanner(facts),
    facts.plansAt === null ? resumeBanner(facts) : user === undefined ? null : heldBanner(user, facts.now),
    protectionBanner(facts),
    ...notProtectedBanners(facts),
    trialBanner(facts),
  ]);
}

const SUSPENDED_BANNER: Banner = {
  kind: 'suspended',
  tone: 'red',
  title: SUSPENDED,
  sentences: [
    'We’re working on it. Until it’s back, SmartPause can’t pause or resume campaigns. You can do both in Ads Manager.',
  ],
  acts: [],
};

/** How many campaigns resume where and when, and what delays it. A server of the specification sends no counts. */
function resumeBanner({ user, hasActivity, access }: BannerFacts): Banner | null {
  if (user?.resumeAt == null) return null;
  const { heldCampaigns = 0, heldAccounts = [] } = user;
  const hasHeld = heldCampaigns > 0 && heldAccounts.length > 0;
  const happened: Act = { act: 'visit', to: '/activity/latest', label: 'See what happened' };
  const acts: Act[] = [
    ...(shownAccounts(user).length > 0 ? [{ act: 'show_held' } as const] : []),
    ...(hasActivity && hasHeld ? [happened] : []),
    ...(access !== 'expired' && heldAccounts.some(({ delayedBy }) => delayedBy === 'login')
      ? [RECONNECT]
      : []),
    ...(hasHeld && !heldAccounts.every(isDelayed)
      ? [{ act: 'resume_now', accounts: heldAccounts } as const]
      : []),
  ];
  return {
    kind: 'resume',
    tone: 'blue',
    title: 'SmartPause Resume Scheduled',
    resumeAt: Date.parse(user.resumeAt),
    sentences: [...(hasHeld ? [scheduledCopy(heldCampaigns, heldAccounts)] : []), ...delayCopy(heldAccounts)],
    acts,
  };
}

/** Campaigns may stay paused by SmartPause after a subscription ends. */
export function heldBanner(user: UserStatus, now: Instant): Banner | null {
  const { heldCampaigns = 0, resumeAt } = user;
  if (heldCampaigns === 0) return null;
  const { title, text } = lapsedCopy(heldCampaigns, resumeAt === null ? null : Date.parse(resumeAt), now);
  return { kind: 'held', tone: 'orange', title, sentences: [text], acts: [] };
}

const NOT_PROTECTED_COPY: Record<NotProtected, { verb: string; text: string }> = {
  unconfirmed: {
    verb: 'Confirm',
    text: 'Meta refuses our changes until you confirm your account in Ads Manager. Until then, SmartPause can’t pause or resume campaigns there. This notice disappears when Meta accepts a change again.',
  },
  role: {
    verb: 'Open',
    text: 'Your role on this account can’t pause campaigns. Ask an admin of the ad account for permission to manage campaigns.',
  },
  no_access: {
    verb: 'Open',
    text: 'Meta refuses SmartPause access to this ad account. Ask its owner to let you manage its ads. SmartPause keeps trying.',
  },
};

/** Ad accounts where Meta refuses to pause, one banner for each reason. */
function notProtectedBanners({ accounts }: BannerFacts): Banner[] {
  // Without SmartPause a refused role or access prevents nothing there.
  const used = accounts.filter(
    ({ notProtected, protectedCampaigns }) => notProtected === 'unconfirmed' || protectedCampaigns !== 0,
  );
  return NOT_PROTECTED.flatMap((reason): Banner[] => {
    const concerned = used.filter(({ notProtected }) => notProtected === reason);
    const { verb, text } = NOT_PROTECTED_COPY[reason];
    if (concerned.length === 0) return [];
    return [
      {
        kind: 'not_protected',
        tone: 'red',
        title: `Not protected: ${namesLabel(concerned)}`,
        sentences: [text],
        acts: concerned.map(({ id, name }) => ({
          act: 'leave',
          href: adsManagerAddress(id),
          label: `${verb} ${name} in Ads Manager`,
        })),
      },
    ];
  });
}

function trialBanner({ trial }: BannerFacts): Banner | null {
  return (
    trial && {
      kind: 'trial',
      tone: 'yellow',
      title: `Your trial ends soon: ${counted(trial.days, 'day')} left`,
      sentences: [trial.text],
      acts: [{ act: 'visit', to: '/settings#billing', label: 'Go to Billing' }],
    }
  );
}
