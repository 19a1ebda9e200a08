import type { PlatformStatus, UserStatus } from '#contract/shapes.ts';
import { spendLabel } from '#core/coverage.ts';
import { counted, durationLabel, figure, namesLabel } from '#core/labels.ts';
import { disruptionHeadline } from '#core/outages/disruption-headline.ts';
import type { Instant } from '#core/time.ts';
import { minutes } from '#core/time.ts';
import { atTime } from '../../lib/times.ts';
import type { Act, Banner, Figure } from '../banners/banner.ts';
import type { DashboardFacts } from '../campaigns/dashboard-facts.ts';
import {
  namesOfFew,
  namesOfOpen,
  notCounted,
  refusedPauses,
  refusingAccounts,
  unableOf,
} from '../campaigns/dashboard-facts.ts';
import { isMatched } from '../campaigns/campaign-view.ts';
import { belowCopy, pausedCopy, shownAccounts, unknownCopy, whenResumed } from '../campaigns/paused-copy.ts';
import type { Protection, Unable } from '../campaigns/protection.ts';
import { protectionOf, whomOf } from '../campaigns/protection.ts';

export function isDown(status: PlatformStatus | null): status is PlatformStatus {
  return status !== null && status.status !== 'UP' && status.status !== 'UNKNOWN';
}

function headlineOf({ status: level, isOverridden = false, down: services = [] }: PlatformStatus): string {
  return level === 'UP' || level === 'UNKNOWN' ? '' : disruptionHeadline({ level, isOverridden, services });
}

/** ' · since 12:53 PM EST · 12 min'. */
function sinceLabel({ downSince, since }: PlatformStatus, now: Instant): string {
  const began = downSince ?? since;
  if (began == null) return '';
  const passed = now - Date.parse(began);
  const lasts = passed < minutes(1) ? '' : ` · ${durationLabel(passed - (passed % minutes(1)))}`;
  return ` · since ${atTime(Date.parse(began), now)}${lasts}`;
}

/** The threshold is met: what is down, what is paused, what still runs, and what to press. */
export function outageBanner(facts: DashboardFacts): Banner | null {
  const { status, user, now } = facts;
  if (!isDown(status) || user === undefined || !isMatched(status, user)) return null;
  const headline = `${headlineOf(status)}${sinceLabel(status, now)}`;
  const base = { kind: 'outage', tone: 'red', headline, level: status.status } as const;
  const unable = unableOf(facts);
  const protection =
    user.coverage === undefined ? null : protectionOf(user.coverage, unable, areHeldUp(user));
  const { heldCampaigns: held = 0 } = user;
  const pausing = pausingOf(user, protection);
  const isSafe = held + pausing > 0;
  const open = unable === null ? (protection?.open ?? 0) : 0;
  const sentences =
    protection === null
      ? []
      : [...cannotPause(facts, protection, unable), ...beingChecked(protection), ...notCounted(protection)];
  const running =
    protection === null ? [] : [...runningFigures(facts, protection), ...resumedFigures(protection)];
  if (isNothingProtected(facts, protection))
    return {
      ...base,
      figures: running,
      title: 'Nothing is protected in this disruption',
      sentences: [riskCopy(protection, unable), ...sentences, ...backCopy(user, open)],
      acts: [...pauseActs(open, false), ...chooseActs(unable, protection)],
      times: 'checked',
    };
  const isUnknown = user.heldCampaigns === undefined;
  const figures = [
    ...(isSafe && !isUnknown ? [{ value: figure(held), label: 'paused', detail: pausedWhere(facts) }] : []),
    ...running,
    ...(isSafe || isUnknown ? [backFigure(user, unable, held > 0)] : []),
  ];
  return {
    ...base,
    figures,
    sentences,
    acts: pauseActs(open, isSafe),
  };
}

/** The pauses wait for Meta, so that the campaigns go on spending. */
function areHeldUp({ notYetPaused }: UserStatus): boolean {
  return notYetPaused !== undefined && notYetPaused.because !== null;
}

/** What the button leads to. */
function backCopy({ resumeSettings }: UserStatus, open: number): string[] {
  if (open === 0) return [];
  const they = open === 1 ? 'A campaign paused now resumes' : 'Campaigns paused now resume';
  return [`${they} ${whenResumed(resumeSettings)} the outage ends.`];
}

function pauseActs(open: number, too: boolean): Act[] {
  const one = too ? 'Pause it too' : 'Pause it now';
  const several = too ? `Pause the ${figure(open)} too` : `Pause all ${figure(open)} now`;
  return open === 0 ? [] : [{ act: 'protect_all', label: open === 1 ? one : several }];
}

/** Without access a choice would pause nothing. */
function chooseActs(unable: Unable, protection: Protection | null): Act[] {
  return unable === null && protection?.open !== 0 ? [{ act: 'choose' }] : [];
}

/** Running campaigns of which the pause is on its way. The settings may be of the moment before the match. */
function pausingOf(user: UserStatus, protection: Protection | null): number {
  const isOfBefore = user.protectedRunning === undefined && user.heldCampaigns !== undefined;
  return user.notYetPaused?.count ?? (isOfBefore ? (protection?.protectedCount ?? 0) : 0);
}

function isNothingProtected({ user }: DashboardFacts, protection: Protection | null): boolean {
  if (user === undefined || (user.heldCampaigns ?? 0) > 0 || user.notYetPaused !== undefined) return false;
  if (protection === null) return user.protectedRunning === 0;
  const { protectedCount, unprotected } = protection;
  return user.protectedRunning !== undefined
    ? user.protectedRunning === 0 && unprotected.count > 0
    : protectedCount === 0 && unprotected.count > 0;
}

function riskCopy(protection: Protection | null, unable: Unable): string {
  const { unprotected, open } = protection ?? {};
  if (unprotected === undefined)
    return 'SmartPause is on for none of your running campaigns. They keep spending.';
  const [them, they, keep] = unprotected.count === 1 ? ['it', 'it', 'keeps'] : ['them', 'they', 'keep'];
  const spends = `so ${they} ${keep} spending.`;
  if (unable === 'access') return `Meta no longer accepts our access, ${spends}`;
  return `SmartPause ${open === unprotected.count ? `is off for ${them}` : `doesn’t pause ${them}`}, ${spends}`;
}

/** The names of few campaigns, or the ad accounts of many. */
function pausedWhere(facts: DashboardFacts): string | undefined {
  const { heldCampaigns = 0, heldAccounts = [] } = facts.user ?? {};
  const where = heldAccounts.length === 0 ? undefined : `in ${namesLabel(heldAccounts)}`;
  return namesOfFew(facts, heldCampaigns, ({ held }) => held === true) ?? where;
}

/** Where they are named by no other figure: the ad accounts of several. None beside those that were resumed early, which run. */
function runningFigures(facts: DashboardFacts, protection: Protection): Figure[] {
  const { unprotected, unprotectedIn, open, resumed } = protection;
  const { count } = unprotected;
  if (count === 0 && resumed > 0) return [];
  const isOneOfSeveral = (facts.user?.coverage?.length ?? 0) > 1 && count > 0;
  const where = isOneOfSeveral ? `in ${namesLabel(unprotectedIn)}` : null;
  const names = namesOfOpen(facts, open === count ? count : 0) ?? where;
  const detail = [spendLabel(unprotected), names].filter((one) => one !== null).join(' · ');
  return [{ value: figure(count), label: 'still running', ...(detail !== '' && { detail }) }];
}

function backFigure({ resumeSettings }: UserStatus, unable: Unable, isHeld: boolean): Figure {
  if (unable === 'access') return { value: 'Can’t resume', label: '', detail: 'until you log in again' };
  const also = unable === 'no_subscription' && isHeld ? ', also without a subscription' : '';
  return { value: 'Resume', label: '', detail: `${whenResumed(resumeSettings)} the outage ends${also}` };
}

/** Running in this match, but no risk that the user can do something about. */
function resumedFigures({ resumed }: Protection): Figure[] {
  if (resumed === 0) return [];
  return [
    { value: figure(resumed), label: 'resumed early', detail: resumed === 1 ? 'stays on' : 'they stay on' },
  ];
}

function beingChecked({ checking }: Protection): string[] {
  if (checking === 0) return [];
  return [`Meta shows ${counted(checking, 'paused campaign')} running: we’re checking why.`];
}

/** An ad account with a banner of its own says it there, and so do pauses that are tried again. */
function cannotPause(facts: DashboardFacts, protection: Protection, unable: Unable): string[] {
  const told = new Set(refusingAccounts(facts).map(({ id }) => id));
  const refused = new Map(refusedPauses(facts).map(({ id, campaigns }) => [id, campaigns.length]));
  const countOf = ({ id, blocked }: Protection['blockedIn'][number]) =>
    blocked.count - (refused.get(id) ?? 0);
  const where = protection.blockedIn.filter((one) => !told.has(one.id) && countOf(one) > 0);
  if (unable !== null || where.length === 0) return [];
  const whom = whomOf(
    where.reduce((sum, one) => sum + countOf(one), 0),
    protection,
  );
  return [`SmartPause can’t pause ${whom}, in ${namesLabel(where)}: use Ads Manager.`];
}

/** The banner that the specification names for each status except UP. */
export function statusBanner(facts: DashboardFacts): Banner | null {
  const { status, user, plansAt } = facts;
  if (status === null || status.status === 'UP' || plansAt !== null) return null;
  const show: Act[] = shownAccounts(user).length === 0 ? [] : [{ act: 'show_held' }];
  const base = { kind: 'status', times: 'disrupted' } as const;
  if (status.status === 'UNKNOWN')
    return {
      ...base,
      tone: 'gray',
      headline: 'Meta Status Unknown',
      level: status.status,
      sentences: [unknownCopy(user)],
      acts: show,
    };
  if (user === undefined) return null;
  if (!isMatched(status, user)) {
    const isQuiet = user.heldCampaigns === 0 && user.resumeAt === null;
    return {
      ...base,
      tone: 'blue',
      // The dot ends a line.
      headline: `${headlineOf(status)}\u00a0· ${isQuiet ? 'nothing is paused' : 'below your threshold'}`,
      title: 'Meta Services Disruption Detected',
      level: status.status,
      sentences: [belowCopy(user, facts.access === 'expired')],
      acts: [],
    };
  }
  const protection = user.coverage === undefined ? null : protectionOf(user.coverage, unableOf(facts));
  if (isNothingProtected(facts, protection)) return null;
  return {
    ...base,
    tone: 'yellow',
    title: 'SmartPause Activated - Threshold Matched',
    sentences: matchedCopy(facts, user, protection),
    // The headline says since when.
    times: 'checked',
    acts: [...show, ...historyActs(facts)],
  };
}

function matchedCopy(facts: DashboardFacts, user: UserStatus, protection: Protection | null): string[] {
  const { protectedCount = 0, unprotected, resumed, unread = [] } = protection ?? {};
  const pausing = pausingOf(user, protection);
  const told = refusedPauses(facts).reduce((sum, { campaigns }) => sum + campaigns.length, 0);
  const pauseRefused = Math.max(0, (user.pauseRefused ?? 0) - told);
  const sentences = pausedCopy({ ...user, pauseRefused }, pausing, facts.access === 'expired');
  if (sentences.length > 0) return sentences;
  const isIdle =
    protectedCount + (user.protectedRunning ?? 0) === 0 && unprotected?.count === 0 && resumed === 0;
  if (isIdle && unread.length === 0)
    return ['None of your campaigns is running, so there is nothing to pause.'];
  return ['No campaign is paused by SmartPause right now.'];
}

function historyActs({ hasActivity }: DashboardFacts): Act[] {
  if (!hasActivity) return [];
  const to = '/activity/latest?result=not_paused#campaigns';
  return [{ act: 'visit', to, label: 'See what wasn’t paused, and why' }];
}
