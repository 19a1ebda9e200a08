import type { UserStatus } from '#contract/shapes.ts';
import { counted, figure } from '#core/labels.ts';
import { atOrOnTime, timeUntil } from '../../lib/times.ts';
import type { Banner } from '../banners/banner.ts';
import { isMatched } from '../campaigns/campaign-view.ts';
import type { DashboardFacts } from '../campaigns/dashboard-facts.ts';
import { unableOf } from '../campaigns/dashboard-facts.ts';
import { progressCopy, shownAccounts, untilWordEnds } from '../campaigns/paused-copy.ts';
import { isDown } from './outage-banners.ts';

/** The user has chosen 'Pause all now': since when, until when, and how to end it. */
export function pausedAllBanner(facts: DashboardFacts): Banner | null {
  const { status, user, now, plansAt } = facts;
  if (user?.pausedAll === undefined) return null;
  const { campaigns } = user.pausedAll;
  const since = Date.parse(user.pausedAll.since);
  const until = user.pausedAll.until === null ? null : Date.parse(user.pausedAll.until);
  const isOutage = isDown(status) && isMatched(status, user);
  const them = campaigns === 1 ? 'It stays' : 'They stay';
  const waiting = waitingCopy(facts, user);
  return {
    kind: 'paused_all',
    tone: 'blue',
    headline: `You paused all protected campaigns ${atOrOnTime(since, now)}`,
    sentences: [
      ...(campaigns === 0 && waiting.length > 0
        ? []
        : [`${counted(campaigns, 'campaign')} paused with “Pause all now”.`]),
      ...waiting,
      until !== null && until <= now
        ? 'SmartPause is resuming now.'
        : `${them} paused ${untilWordEnds(user.pausedAll, now)}${until === null ? '' : ` · ${timeUntil(until, now)}`}.`,
      ...(isOutage ? ['Meta’s outage goes on: what it keeps paused resumes after it.'] : []),
    ],
    acts: [
      { act: 'resume_all' },
      ...(plansAt === null ? [{ act: 'change_end' } as const] : []),
      ...(shownAccounts(user).length > 0 ? [{ act: 'show_held' } as const] : []),
    ],
  };
}

/** Of what is not paused yet: that it is on its way, or why not. */
export function waitingCopy(facts: DashboardFacts, user: UserStatus): string[] {
  const count = user.notYetPaused?.count ?? 0;
  if (count === 0) return [];
  const more = (user.heldCampaigns ?? 0) > 0 ? `${figure(count)} more` : counted(count, 'campaign');
  const unable = unableOf(facts);
  if (unable === 'access') return [`${more} can’t be paused: Meta no longer accepts our access.`];
  if (unable === 'no_subscription')
    return [`${more} ${count === 1 ? 'isn’t' : 'aren’t'} paused without a subscription.`];
  return unable === null || unable === 'suspended' ? progressCopy(user, more) : [];
}
