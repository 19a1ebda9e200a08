import type { UserStatus, Warning } from '#contract/shapes.ts';
import { counted } from '#core/labels.ts';
import { atTime } from '../../lib/times.ts';
import type { Act, Banner } from '../banners/banner.ts';
import { isMatched, isPausedEarlyBy } from '../campaigns/campaign-view.ts';
import type { DashboardFacts } from '../campaigns/dashboard-facts.ts';
import { mayPauseAll, unableOf } from '../campaigns/dashboard-facts.ts';
import { shownAccounts, whenResumed } from '../campaigns/paused-copy.ts';
import type { ShownLevel } from '../status/api.ts';
import { isDown } from './outage-banners.ts';
import { waitingCopy } from './paused-all-banner.ts';

/** SmartPause's own suspicion, what it rests on, and what it means for this user. The banner of an outage leads. */
export function earlyWarningBanner(facts: DashboardFacts): Banner | null {
  const { status, user, now } = facts;
  const warning = status?.warning;
  if (status === null || warning === undefined) return null;
  const base = { kind: 'early_warning', tone: 'orange' } as const;
  // Without its length: screen readers would read the banner each minute.
  const since = ` · since ${atTime(Date.parse(warning.since), now)}`;
  if (isDown(status) && isMatched(status, user))
    return { ...base, title: `Early warning${since}`, sentences: [warning.evidence], acts: [] };
  const isSilent = status.status === 'UP' && status.isOverridden !== true;
  return {
    ...base,
    headline: `Early warning: Meta may have an outage${since}`,
    sentences: [
      warning.evidence,
      ...(isSilent ? ['Meta’s page doesn’t say so yet.'] : []),
      ...(user === undefined ? [] : meaningOf(warning, user, facts)),
    ],
    acts: user === undefined ? [] : actsOf(user, facts),
  };
}

/** What keeps SmartPause from pausing anything has a banner of its own, and so has 'Pause all now'. */
function meaningOf({ pauses }: Warning, user: UserStatus, facts: DashboardFacts): string[] {
  const { earlyWarning, pausedEarly = 0, resumeSettings } = user;
  if (user.pausedAll !== undefined) return [];
  if (pausedEarly > 0) {
    const they = pausedEarly === 1 ? 'It resumes' : 'They resume';
    return [
      `SmartPause has paused ${counted(pausedEarly, 'campaign')}.`,
      ...waitingCopy(facts, user),
      ...(unableOf(facts) === 'access'
        ? []
        : pauses
          ? [`${they} ${whenResumed(resumeSettings)} it’s over.`]
          : [`It pauses no more campaigns. ${they} as set in Settings.`]),
    ];
  }
  if (unableOf(facts) !== null) return [];
  if (earlyWarning === 'official')
    return ['Your campaigns keep running: you chose the official status only.'];
  if (earlyWarning === 'notify') return ['Your campaigns keep running: you chose to be notified only.'];
  if (earlyWarning !== 'pause') return [];
  if (!pauses) return ['Nothing is paused yet: failing calls alone never pause.'];
  const waiting = waitingCopy(facts, user);
  return waiting.length > 0 ? waiting : ['SmartPause has paused none of your campaigns.'];
}

function actsOf(user: UserStatus, facts: DashboardFacts): Act[] {
  const isHeld = (user.pausedEarly ?? 0) > 0 && shownAccounts(user).length > 0;
  const isChoice = unableOf(facts) === null && user.earlyWarning !== undefined;
  return [
    ...(offersPauseAll(facts) ? [{ act: 'pause_all' } as const] : []),
    ...(isHeld ? [{ act: 'show_held' } as const] : []),
    ...(isChoice && user.earlyWarning !== 'pause' ? [CHANGE] : []),
  ];
}

const CHANGE: Act = { act: 'visit', to: '/settings#early-warning', label: 'Change in Settings' };

/** The banner has 'Pause all now', in place of the button above the list. */
export function offersPauseAll(
  facts: Parameters<typeof mayPauseAll>[0] & { status: ShownLevel | null },
): boolean {
  const { status, user } = facts;
  if (status?.warning === undefined || isMatched(status, user) || isPausedEarlyBy(status, user)) return false;
  return mayPauseAll(facts);
}
