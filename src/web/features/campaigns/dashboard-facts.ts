import type { AdAccount, Campaign, PlatformStatus, UserStatus } from '#contract/shapes.ts';
import { namesLabel } from '#core/labels.ts';
import type { Instant } from '#core/time.ts';
import type { PageFacts } from '../banners/page-banners.ts';
import type { BILLING_SETTINGS } from '../subscription/plan-copy.ts';
import { isDelivered } from './campaign-view.ts';
import type { Protection, Unable } from './protection.ts';

export interface DashboardFacts extends PageFacts {
  now: Instant;
  /** Null: not loaded yet. */
  status: PlatformStatus | null;
  /** Undefined: not loaded; a banner that depends on the settings waits. */
  user: UserStatus | undefined;
  accounts: readonly AdAccount[];
  /** The lists of the ad accounts as the page has them; null: the accounts are not loaded. */
  lists: readonly KnownList[] | null;
  isSetUp: boolean;
  /** The checklist; null: finished and dismissed. */
  setup: { isFinished: boolean; hasTest: boolean } | null;
  /** Null: the user has a subscription; else where to get one. */
  plansAt: '/payment' | typeof BILLING_SETTINGS | null;
  isTrialAvailable: boolean;
  /** Null: the trial does not end soon. */
  trial: { days: number; text: string } | null;
  /** The server has the history of outages. */
  hasActivity: boolean;
  /** The server has 'Pause all now'. */
  hasPauseAll: boolean;
}

/** There is something to pause with 'Pause all now', or to keep paused. Once it is on, its banner has buttons. */
export function mayPauseAll(
  facts: Pick<DashboardFacts, 'hasPauseAll' | 'isSetUp' | 'user'> & { plansAt: string | null },
): boolean {
  const { hasPauseAll, isSetUp, plansAt, user } = facts;
  if (!hasPauseAll || !isSetUp || plansAt !== null || user === undefined || user.pausedAll !== undefined)
    return false;
  const { coverage, heldCampaigns = 0 } = user;
  const mayPause = coverage?.some((one) => one.protected.count > 0 || one.isUnread === true) ?? true;
  return mayPause || heldCampaigns > 0;
}

/** The campaigns of an ad account; `failed`: there are none, or only old ones, because Meta sent none. */
export interface KnownList {
  id: string;
  state: 'reading' | 'read' | 'failed';
  campaigns: readonly Campaign[];
}

const NOT_KNOWN: readonly KnownList[] = [{ id: '', state: 'reading', campaigns: [] }];

/** Ad accounts of which the page has a list that the counts of the server lack. */
export function notYetCounted({ user, lists }: Pick<DashboardFacts, 'user' | 'lists'>): readonly KnownList[] {
  const counted = new Set(user?.coverage?.flatMap(({ id, isUnread }) => (isUnread ? [] : [id])));
  return user?.coverage === undefined ? [] : (lists ?? NOT_KNOWN).filter(({ id }) => !counted.has(id));
}

/** 'Rain Jackets and Trail Shoes': the names of all of these campaigns, if they are few and known; else null. */
export function namesOfFew(
  { lists }: Pick<DashboardFacts, 'lists'>,
  count: number,
  isOne: (campaign: Campaign) => boolean,
): string | null {
  if (count === 0 || count > 3) return null;
  const known = (lists ?? []).flatMap(({ campaigns }) => campaigns.filter(isOne));
  return known.length === count ? namesLabel(known) : null;
}

/** Of the lists of the page, those with such campaigns; with these alone. */
export function listsWith(
  { lists }: Pick<DashboardFacts, 'lists'>,
  isOne: (campaign: Campaign) => boolean,
): readonly KnownList[] {
  return (lists ?? []).flatMap((list) => {
    const campaigns = list.campaigns.filter(isOne);
    return campaigns.length === 0 ? [] : [{ ...list, campaigns }];
  });
}

const isRefusedResume = ({ refused }: Campaign): boolean => refused?.action === 'resume';

/** With the resumes that Meta refuses. */
export const refusedResumes = (facts: Pick<DashboardFacts, 'lists'>) => listsWith(facts, isRefusedResume);

/** With the pauses that Meta refuses, but for those that another banner gives the reason for: it refuses all of the ad account. */
export function refusedPauses(facts: Pick<DashboardFacts, 'lists' | 'accounts'>): readonly KnownList[] {
  const told = new Set(refusingAccounts(facts).map(({ id }) => id));
  const isRefused = ({ refused, status }: Campaign) => refused?.action === 'pause' && status === 'ACTIVE';
  const isOwn = ({ refused }: Campaign) => refused?.isBlocked !== true;
  return (facts.lists ?? []).flatMap((list) => {
    const campaigns = list.campaigns.filter((one) => isRefused(one) && (!told.has(list.id) || isOwn(one)));
    return campaigns.length === 0 ? [] : [{ ...list, campaigns }];
  });
}

/** The page reads the lists of so many ad accounts by itself because Meta refuses changes there. */
const REFUSING_READ = 5;

/** Ad accounts with refused changes whose lists are read: those that the page shows refusals of, then some others. */
export function refusingToRead(facts: Pick<DashboardFacts, 'lists' | 'accounts' | 'user'>): string[] {
  const known = [...refusedPauses(facts), ...refusedResumes(facts)].map(({ id }) => id);
  const others = (facts.user?.refusingAccounts ?? []).filter((id) =>
    facts.accounts.some((one) => one.id === id),
  );
  return [...new Set([...known, ...others])].slice(0, Math.max(REFUSING_READ, new Set(known).size));
}

/** Ad accounts with refused changes that the page has not read, beside those that it reads by itself. */
export function refusingUnread(facts: Pick<DashboardFacts, 'lists' | 'accounts' | 'user'>): number {
  const read = new Set([
    ...refusingToRead(facts),
    ...(facts.lists ?? []).flatMap(({ id, state }) => (state === 'reading' ? [] : [id])),
  ]);
  return (facts.user?.refusingAccounts ?? []).filter((id) => !read.has(id)).length;
}

/** Of the running campaigns with SmartPause off. */
export function namesOfOpen(facts: Pick<DashboardFacts, 'lists'>, count: number): string | null {
  return namesOfFew(facts, count, (one) => isDelivered(one) && one.smartPauseSetting !== 'ON');
}

/** Why an outage would pause nothing at all for this user. */
export function unableOf({
  user,
  access,
  leaving,
  isSetUp,
  plansAt,
}: Pick<DashboardFacts, 'user' | 'access' | 'leaving' | 'isSetUp' | 'plansAt'>): Unable {
  if (user?.isSuspended === true) return 'suspended';
  if (access === 'expired') return 'access';
  if (leaving !== null) return 'leaving';
  if (plansAt !== null) return 'no_subscription';
  return isSetUp ? null : 'not_set_up';
}

/** Ad accounts where Meta refuses to pause. Without SmartPause a refused role or access prevents nothing there. */
export function refusingAccounts({ accounts }: Pick<DashboardFacts, 'accounts'>): AdAccount[] {
  return accounts.filter(
    ({ notProtected, protectedCampaigns }) =>
      notProtected === 'unconfirmed' || (notProtected !== undefined && protectedCampaigns !== 0),
  );
}

export function notCounted({ unread }: Protection): string[] {
  return unread.length === 0 ? [] : [`Not counted: ${namesLabel(unread)}, which couldn’t be read.`];
}
