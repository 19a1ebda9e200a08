import { SUSPENDED } from '#core/app-state.ts';
import type { HeldAccount, UserStatus } from '#contract/shapes.ts';
import { totalOf } from '#core/coverage.ts';
import { counted, figure, namesLabel } from '#core/labels.ts';
import type { NotProtected } from '#core/outages/reasons.ts';
import { NOT_PROTECTED } from '#core/outages/reasons.ts';
import type { Instant } from '#core/time.ts';
import { atOrOnTime, timeUntil } from '../../lib/times.ts';
import type { Act, Banner } from '../banners/banner.ts';
import { inOrder } from '../banners/banner.ts';
import { pageBanners } from '../banners/page-banners.ts';
import { adsManagerAddress } from '../campaigns/ads-manager.ts';
import type { DashboardFacts } from '../campaigns/dashboard-facts.ts';
import { namesOfFew, notYetCounted, refusedResumes, refusingAccounts } from '../campaigns/dashboard-facts.ts';
import { isMatched } from '../campaigns/campaign-view.ts';
import {
  catchUpCopy,
  delayCopy,
  isDelayed,
  lapsedCopy,
  laterCopy,
  postponedIn,
  scheduledCopy,
  shownAccounts,
} from '../campaigns/paused-copy.ts';
import { countIn } from '../campaigns/protection.ts';
import { BILLING_SETTINGS } from '../subscription/plan-copy.ts';
import { unreachedCopy } from '../email/email-copy.ts';
import { earlyWarningBanner } from './early-warning-banner.ts';
import { isDown, outageBanner, statusBanner } from './outage-banners.ts';
import { pausedAllBanner } from './paused-all-banner.ts';
import { protectionBanner } from './protection-banner.ts';
import {
  blockedIn,
  nextTryOf,
  notResumedBanner,
  refusedBanner,
  retryActs,
  wordsIn,
} from './refused-banners.ts';

/** All banners of the dashboard in their order. */
export function bannersOf(facts: DashboardFacts): Banner[] {
  const { user } = facts;
  return inOrder([
    ...pageBanners(facts).map((banner) => accessAnswer(banner, facts)),
    user?.isSuspended === true ? SUSPENDED_BANNER : null,
    outageBanner(facts),
    statusBanner(facts),
    pausedAllBanner(facts),
    earlyWarningBanner(facts),
    refusedBanner(facts, 'pause'),
    refusedBanner(facts),
    notResumedBanner(facts),
    user?.pausedAll !== undefined
      ? null
      : facts.plansAt === null
        ? resumeBanner(facts)
        : user === undefined || isInOutage(facts)
          ? null
          : heldBanner(user, facts.now),
    protectionBanner(facts),
    ...notProtectedBanners(facts),
    setupBanner(facts),
    unreachedBanner(facts),
    trialBanner(facts),
  ]).filter(({ headline, title, times, sentences }) => headline ?? title ?? times ?? sentences[0]);
}

/** The banner of the outage counts what is paused. */
function isInOutage({ status, user }: DashboardFacts): boolean {
  return isDown(status) && isMatched(status, user);
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

/** Without Meta's access nothing else helps. */
function accessAnswer(banner: Banner, { access, lacking, user }: DashboardFacts): Banner {
  if (banner.kind !== 'access' || access !== 'expired') return banner;
  const { heldCampaigns: held = 0 } = user ?? {};
  const lost = held === 0 ? 'nothing can be paused' : `${counted(held, 'paused campaign')} can’t resume`;
  return {
    ...{ ...banner, tone: 'red', headline: `Reconnect to Meta: ${lost}` },
    ...(lacking === null && {
      sentences: [held === 0 ? 'Your Meta connection has expired.' : 'Nothing resumes until you log in.'],
    }),
  };
}

/** How many campaigns resume where and when, and what delays it. A server of the specification sends no counts. */
function resumeBanner(facts: DashboardFacts): Banner | null {
  const { user, hasActivity, access } = facts;
  if (user?.resumeAt == null) return null;
  const { heldCampaigns = 0, heldAccounts = [] } = user;
  const first = heldAccounts.filter(({ resumeAt }) => resumeAt === undefined);
  const scheduled = scheduledOf(facts, Date.parse(user.resumeAt), first);
  const hasHeld = heldCampaigns > 0 && heldAccounts.length > 0;
  const isSuspended = user.isSuspended === true;
  const mayResume = access !== 'expired' && !isSuspended && hasHeld && !heldAccounts.every(isDelayed);
  const isRefused = refusedBanner(facts) !== null;
  // A time that has passed is none: they are being resumed, or wait.
  const isLate = scheduled.at <= facts.now && (hasHeld || isSuspended);
  const isResuming =
    isLate && !isSuspended && !scheduled.accounts.every(({ delayedBy }) => isLateBy(delayedBy));
  // Below another answer it is short.
  const isAnswer = !isRefused && access !== 'expired';
  const isOfAll = scheduled.count === heldCampaigns;
  const names = isAnswer && isOfAll ? namesOfFew(facts, heldCampaigns, ({ held }) => held === true) : null;
  const condition = access === 'expired' ? ', if you log in again' : isResuming ? ', resuming now' : '';
  const said = [...(isRefused ? ['refused'] : []), ...(isAnswer ? [] : ['login'])];
  return {
    kind: 'resume',
    tone: 'blue',
    ...(!isRefused && { headline: resumeHeadline(facts, scheduled) }),
    title: 'SmartPause Resume Scheduled',
    // Below the refused ones, the sentence about another tool has its time.
    ...(!(isRefused && scheduled.isPostponed) && !isLate && { resumeAt: scheduled.at }),
    sentences: [
      ...earlyCopy(user),
      ...delayCopy(
        heldAccounts.map((one) =>
          said.includes(one.delayedBy ?? '') ? { ...one, delayedBy: undefined } : one,
        ),
        facts.now,
      ),
      ...(hasHeld && !(isRefused && scheduled.isPostponed)
        ? [
            scheduledCopy(
              names ?? counted(scheduled.count, 'campaign'),
              scheduled.accounts,
              isAnswer && !isLate ? user.resumeSettings : null,
              { condition, isEarly: (user.pausedEarly ?? 0) > 0 },
            ),
            ...laterCopy(heldAccounts, facts.now),
            ...catchUpCopy(scheduled.accounts, scheduled.at),
          ]
        : []),
    ],
    acts: [
      ...(shownAccounts(user).length > 0 ? [{ act: 'show_held' } as const] : []),
      ...(hasActivity && hasHeld ? [seeWhatHappened(user)] : []),
      ...(mayResume ? [{ act: 'resume_now', accounts: heldAccounts } as const] : []),
      ...(access !== 'expired' && heldAccounts.some(({ delayedBy }) => delayedBy === 'login')
        ? [{ act: 'log_in', label: 'Log in again' } as const]
        : []),
    ],
  };
}

/** Meta's page has not said so in the end. */
function earlyCopy({ pausedEarly = 0, heldCampaigns: held = 0 }: UserStatus): string[] {
  if (pausedEarly === 0) return [];
  const them = pausedEarly < held ? `${figure(pausedEarly)} of them` : held === 1 ? 'it' : 'them';
  return [`An early warning paused ${them}; Meta’s page never confirmed it.`];
}

interface Scheduled {
  at: Instant;
  count: number;
  accounts: readonly HeldAccount[];
  /** All of them wait for another tool's hours: `at` is the latest time. */
  isPostponed: boolean;
}

/** The campaigns that the time is of: neither refused nor postponed ones, which have times of their own, if there are others. */
function scheduledOf(facts: DashboardFacts, due: Instant, accounts: readonly HeldAccount[]): Scheduled {
  const { heldCampaigns = 0, heldAccounts } = facts.user ?? {};
  const isOfAll = accounts.length === (heldAccounts?.length ?? 0);
  const held = isOfAll ? heldCampaigns : countIn(accounts);
  const all: Scheduled = { at: due, count: held, accounts, isPostponed: false };
  if (due > facts.now) return all;
  const refused = refusedResumes(facts);
  const refusedIn = (id: string) =>
    refused.find((list) => list.id === id)?.campaigns.filter((one) => one.held === true).length ?? 0;
  const left = accounts.flatMap((account) => {
    const count = account.count - refusedIn(account.id) - (account.postponed?.count ?? 0);
    return count > 0 ? [{ ...account, count }] : [];
  });
  if (left.length > 0) return { ...all, accounts: left, count: countIn(left) };
  const { count, until } = postponedIn(accounts);
  if (until !== null) return { ...all, at: until, count, isPostponed: true };
  return { ...all, at: nextTryOf(refused.flatMap(({ campaigns }) => campaigns)) ?? due };
}

/** What an early warning paused is of no outage. */
function seeWhatHappened({ pausedEarly = 0 }: UserStatus): Act {
  const to = pausedEarly > 0 ? '/activity' : '/activity/latest';
  return { act: 'visit', to, label: 'See what happened' };
}

/** A cause that has a sentence of its own, and is not that of other campaigns of the ad account. */
function isLateBy(delay: HeldAccount['delayedBy']): boolean {
  return delay !== undefined && delay !== 'refused' && delay !== 'other_tool';
}

/** What ends by itself, and goes on then. */
const WAITS: Partial<Record<NonNullable<HeldAccount['delayedBy']>, string>> = {
  limited: 'Meta’s rate limit',
  app_limit: 'SmartPause’s own limit at Meta',
  no_answer: 'Meta',
};

function resumeHeadline({ user, now }: DashboardFacts, { at, count, isPostponed }: Scheduled): string {
  const { heldCampaigns = 0, heldAccounts = [] } = user ?? {};
  const campaignsOf = (some: number) => (some === 0 ? 'Your campaigns' : counted(some, 'campaign'));
  if (heldAccounts.length > 0 && heldAccounts.every(isDelayed)) {
    const [waits, ...more] = new Set(
      heldAccounts.map(({ delayedBy }) => (delayedBy && WAITS[delayedBy]) ?? ''),
    );
    return waits && more.length === 0 && at <= now
      ? `Resuming ${counted(heldCampaigns, 'campaign')}, waits for ${waits}`
      : `${campaignsOf(heldCampaigns)} can’t resume yet`;
  }
  if (heldAccounts.length > 0 && at <= now) return `Resuming ${counted(count, 'campaign')} now`;
  const when = `${atOrOnTime(at, now)}${isPostponed ? ' at the latest' : ''}`;
  return `${campaignsOf(count)} ${count === 1 ? 'resumes' : 'resume'} ${when} · ${timeUntil(at, now)}`;
}

/** What is left before campaigns are protected. Once finished it stays until it is dismissed: nothing moves up. */
function setupBanner(facts: DashboardFacts): Banner | null {
  const { setup, isSetUp, plansAt, user, status } = facts;
  if (setup === null || plansAt !== null) return null;
  const count = setup.hasTest ? 4 : 3;
  const base = { kind: 'setup', tone: 'gray' } as const;
  if (!isSetUp)
    return {
      ...base,
      tone: 'orange',
      headline: 'Account Setup Required',
      sentences: ['Nothing is protected yet.'],
      steps: { done: 1, count },
      acts: [{ act: 'visit', to: '/settings', label: 'Complete your setup', isButton: true }],
    };
  // In an outage the campaigns matter more.
  if (isInOutage(facts) || (setup.isFinished && user?.protectedRunning !== undefined)) return null;
  const runs =
    user?.coverage === undefined ||
    notYetCounted(facts).length > 0 ||
    totalOf(user.coverage, ['protected', 'open', 'blocked']).count > 0;
  const isUp = status === null || status.status === 'UP';
  const acts: Act[] = setup.hasTest && runs && isUp ? [{ act: 'try' }] : [];
  // As long in each step, so that no row below moves.
  return setup.isFinished
    ? {
        ...base,
        title: 'Setup complete',
        sentences: ['The switches below change what is paused.'],
        steps: { done: 3, count },
        acts,
        isDismissible: true,
      }
    : {
        ...base,
        title: 'Choose campaigns to protect',
        sentences: [`Step 3 of ${count}: ${runs ? 'use the switches below.' : 'nothing is protected yet.'}`],
        steps: { done: 2, count },
        acts,
      };
}

/** Campaigns may stay paused by SmartPause after a subscription ends. */
export function heldBanner(user: UserStatus, now: Instant): Banner | null {
  const { heldCampaigns = 0, resumeAt } = user;
  if (heldCampaigns === 0) return null;
  const at = resumeAt === null ? null : Date.parse(resumeAt);
  const { title, text } = lapsedCopy(user, at, now);
  return { kind: 'held', tone: 'orange', title, sentences: [text], acts: [] };
}

const NOT_PROTECTED_COPY: Record<NotProtected, { verb: string; text: string }> = {
  unconfirmed: {
    verb: 'Confirm',
    text: 'Meta refuses our changes until you confirm your account in Ads Manager. Until then, SmartPause can’t pause or resume campaigns there.',
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
function notProtectedBanners(facts: DashboardFacts): Banner[] {
  return NOT_PROTECTED.flatMap((reason): Banner[] => {
    const concerned = refusingAccounts(facts).filter(({ notProtected }) => notProtected === reason);
    const { verb, text } = NOT_PROTECTED_COPY[reason];
    if (concerned.length === 0) return [];
    const blocked = reason === 'unconfirmed' ? blockedIn(facts, concerned) : [];
    // Its own banner has it for a resume.
    const retried = blocked.filter(({ campaigns }) =>
      campaigns.every((one) => one.refused?.action === 'pause'),
    );
    return [
      {
        kind: 'not_protected',
        tone: 'red',
        title: `Not protected: ${namesLabel(concerned)}`,
        sentences: [...wordsIn(blocked), text],
        acts: [
          ...concerned.map(({ id, name }): Act => ({
            act: 'leave',
            href: adsManagerAddress(id),
            label: `${verb} ${name} in Ads Manager`,
          })),
          ...retryActs(facts, retried),
        ],
      },
    ];
  });
}

/** Until the user's address is known to work; before the setup they have entered none. */
function unreachedBanner({ user, isSetUp, now }: DashboardFacts): Banner | null {
  const copy = user === undefined || !isSetUp ? null : unreachedCopy(user, now);
  if (copy === null) return null;
  const { title, text, button } = copy;
  return {
    kind: 'unreached',
    tone: 'orange',
    title,
    sentences: [text],
    acts: [{ act: 'send_link', label: button }],
  };
}

function trialBanner({ trial }: DashboardFacts): Banner | null {
  return (
    trial && {
      kind: 'trial',
      tone: 'gray',
      title: `Your trial ends soon: ${counted(trial.days, 'day')} left`,
      sentences: [trial.text],
      acts: [{ act: 'visit', to: BILLING_SETTINGS, label: 'Go to Billing' }],
    }
  );
}
