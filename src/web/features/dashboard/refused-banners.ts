import type { Campaign } from '#contract/shapes.ts';
import { counted, namesLabel } from '#core/labels.ts';
import type { Instant } from '#core/time.ts';
import { earliest } from '#core/time.ts';
import { atOrOnTime } from '../../lib/times.ts';
import type { Act, Banner } from '../banners/banner.ts';
import { adsManagerAddress } from '../campaigns/ads-manager.ts';
import { metaSays } from '../campaigns/campaign-view.ts';
import type { DashboardFacts, KnownList } from '../campaigns/dashboard-facts.ts';
import { listsWith, refusedPauses, refusedResumes, refusingUnread } from '../campaigns/dashboard-facts.ts';

/** Meta refuses a pause of this outage, or a resume that is due or was asked for, or that ends a live test. */
export function refusedBanner(facts: DashboardFacts, action: 'pause' | 'resume' = 'resume'): Banner | null {
  const { access, user, now } = facts;
  const known = action === 'pause' ? refusedPauses(facts) : refusedResumes(facts);
  const [first] = known;
  if (access === 'expired' || user?.isSuspended === true || first === undefined) return null;
  const campaigns = known.flatMap((list) => list.campaigns);
  const { resumeAt } = user ?? {};
  const more = refusingUnread(facts);
  const words = refusedCopy(campaigns, now);
  return {
    kind: action === 'pause' ? 'refused_pause' : 'refused',
    tone: 'red',
    headline: `Meta refuses to ${action} ${counted(campaigns.length, 'campaign')}`,
    // A scheduled resume has the names.
    sentences: [
      ...(resumeAt == null && words.isShared ? [`${namesLabel(campaigns)}:`] : []),
      ...words.sentences,
      ...(more > 0 ? [`Meta also refuses changes in ${counted(more, 'more ad account')}.`] : []),
    ],
    acts: [
      ...retryActs(facts, known),
      { act: 'leave', href: adsManagerAddress(first.id), label: 'Open Ads Manager' },
    ],
  };
}

/** Meta refused a resume for good. The row has 'Resume now'. */
export function notResumedBanner(facts: DashboardFacts): Banner | null {
  const known = listsWith(facts, ({ notResumed, held }) => notResumed !== undefined && held !== true);
  const [first] = known;
  if (facts.access === 'expired' || first === undefined) return null;
  const campaigns = known.flatMap((list) => list.campaigns);
  const causes = causesOf(campaigns, ({ notResumed }) => (notResumed?.words ? metaSays(notResumed) : ''));
  const named = causes.filter(({ words }) => words !== '').length === causes.length && causes.length > 1;
  const [stay, them] = campaigns.length === 1 ? ['It stays', 'it'] : ['They stay', 'them'];
  return {
    kind: 'not_resumed',
    tone: 'red',
    headline: `${counted(campaigns.length, 'campaign')} not resumed: Meta refused`,
    sentences: [
      ...(named ? [] : [`${namesLabel(campaigns)}:`]),
      ...causes.map(({ words }) => words).filter(Boolean),
      `${stay} paused until you resume ${them}.`,
    ],
    acts: [{ act: 'leave', href: adsManagerAddress(first.id), label: 'Open Ads Manager' }],
  };
}

/** One for each ad account: once Meta accepts one of its campaigns, the others follow. */
export function retryActs({ accounts }: DashboardFacts, known: readonly KnownList[]): Act[] {
  return known.slice(0, RETRIES_MAX).flatMap(({ id, campaigns: [campaign] }): Act[] => {
    const { name = id } = accounts.find((one) => one.id === id) ?? {};
    if (campaign === undefined) return [];
    return [{ act: 'retry', campaign, ...(known.length > 1 && { label: `Retry now in ${name}` }) }];
  });
}

/** More ad accounts have it at their rows. */
const RETRIES_MAX = 3;

/** In Meta's words, once for each cause, with its campaigns if there are several, and the next try of each. */
function refusedCopy(campaigns: readonly Campaign[], now: Instant) {
  const causes = causesOf(campaigns, ({ refused }) => (refused ? metaSays(refused) : ''));
  const said = causes.map(({ words, of }) => [words, triesAgain(nextTryOf(of), now)] as const);
  const times = new Set(said.map(([, next]) => next));
  // One time of all stands once.
  const all = times.size === 1 ? [...said.map(([words]) => words), ...times] : said.flat();
  return { sentences: all.filter(Boolean), isShared: causes.length === 1 };
}

/** The causes, with the names of their campaigns if there are several: no two run together. */
function causesOf(campaigns: readonly Campaign[], wordsOf: (campaign: Campaign) => string) {
  const causes = [...Map.groupBy(campaigns, wordsOf)];
  return causes.map(([words, of]) => ({
    words: causes.length > 1 && words !== '' ? `${namesLabel(of)}: ${words}` : words,
    of,
  }));
}

const triesAgain = (next: Instant | null, now: Instant): string =>
  next === null ? '' : `SmartPause tries again ${atOrOnTime(next, now)}.`;

export function nextTryOf(campaigns: readonly Campaign[]): Instant | null {
  return earliest(
    campaigns.map(({ refused }) => (refused?.retryAt == null ? null : Date.parse(refused.retryAt))),
  );
}

/** Where Meta refuses all changes in these ad accounts: the campaigns that show it. */
export function blockedIn(facts: DashboardFacts, accounts: readonly { id: string }[]): readonly KnownList[] {
  const blocked = listsWith(facts, ({ refused }) => refused?.isBlocked === true);
  return blocked.filter(({ id }) => accounts.some((one) => one.id === id));
}

/** Meta's words there, each once. */
export function wordsIn(lists: readonly KnownList[]): string[] {
  const refusals = lists.flatMap(({ campaigns }) => campaigns.flatMap(({ refused }) => refused ?? []));
  return [...new Set(refusals.filter(({ words }) => words !== null).map(metaSays))];
}
