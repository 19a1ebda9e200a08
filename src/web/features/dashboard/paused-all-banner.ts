import { counted } from '#core/labels.ts';
import { atOrOnTime, timeUntil } from '../../lib/times.ts';
import type { Banner } from '../banners/banner.ts';
import { isMatched } from '../campaigns/campaign-view.ts';
import type { DashboardFacts } from '../campaigns/dashboard-facts.ts';
import { shownAccounts } from '../campaigns/paused-copy.ts';
import { isDown } from './outage-banners.ts';

/** The user has chosen 'Pause all now': since when, until when, and how to end it. */
export function pausedAllBanner({ status, user, now }: DashboardFacts): Banner | null {
  if (user?.pausedAll === undefined) return null;
  const { campaigns } = user.pausedAll;
  const since = Date.parse(user.pausedAll.since);
  const until = user.pausedAll.until === null ? null : Date.parse(user.pausedAll.until);
  const waiting = user.notYetPaused?.count ?? 0;
  const isOutage = isDown(status) && isMatched(status, user);
  const them = campaigns === 1 ? 'It stays' : 'They stay';
  return {
    kind: 'paused_all',
    tone: 'blue',
    headline: `You paused everything ${atOrOnTime(since, now)}`,
    sentences: [
      `${counted(campaigns, 'campaign')} paused with “Pause all now”.`,
      ...(waiting > 0
        ? [`${counted(waiting, 'campaign')} ${waiting === 1 ? 'is' : 'are'} being paused.`]
        : []),
      until === null
        ? `${them} paused until you choose “Resume all”.`
        : until > now
          ? `${them} paused until you choose “Resume all”, or ${atOrOnTime(until, now)} · ${timeUntil(until, now)}.`
          : 'SmartPause is resuming now.',
      ...(isOutage ? ['Meta’s outage goes on: what it keeps paused resumes after it.'] : []),
    ],
    acts: [
      { act: 'resume_all' },
      { act: 'pause_all' },
      ...(shownAccounts(user).length > 0 ? [{ act: 'show_held' } as const] : []),
    ],
  };
}
