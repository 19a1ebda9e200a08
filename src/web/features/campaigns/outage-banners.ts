import type { PlatformStatus, UserStatus } from '#contract/shapes.ts';
import { spendLabel } from '#core/coverage.ts';
import { figure } from '#core/labels.ts';
import { disruptionHeadline } from '#core/smartpause/disruption-headline.ts';
import type { Instant } from '#core/time.ts';
import type { Act, Banner } from '../banners/banner.ts';
import type { BannerFacts } from './banner-facts.ts';
import { RECONNECT, notCounted, unableOf } from './banner-facts.ts';
import { isMatched } from './campaign-view.ts';
import { belowCopy, pausedCopy, shownAccounts, unknownCopy, whenResumed } from './outage-copy.ts';
import type { Protection, Unable } from './protection.ts';
import { protectionOf } from './protection.ts';

export function isDown(status: PlatformStatus | null): status is PlatformStatus {
  return status !== null && status.status !== 'UP' && status.status !== 'UNKNOWN';
}

function headlineOf(status: PlatformStatus, now: Instant): string {
  const { status: level, isOverridden = false, down: services = [], downSince, since } = status;
  const began = downSince ?? since ?? null;
  if (level === 'UP' || level === 'UNKNOWN') return '';
  return disruptionHeadline(
    { level, isOverridden, services, since: began === null ? null : Date.parse(began) },
    now,
  );
}

/** The threshold is met: what is down, what is paused, what still runs, and what to press. */
export function outageBanner(facts: BannerFacts): Banner | null {
  const { status, user, now } = facts;
  if (!isDown(status) || user === undefined || !isMatched(status, user)) return null;
  const base = { kind: 'outage', headline: headlineOf(status, now), level: status.status } as const;
  const unable = unableOf(facts);
  const protection = user.coverage === undefined ? null : protectionOf(user.coverage, unable);
  const { heldCampaigns: held = 0 } = user;
  const pausing = pausingOf(user, protection);
  const isSafe = held + pausing > 0;
  const open = unable === null ? (protection?.open ?? 0) : 0;
  const sentences =
    protection === null ? [] : [...cannotPause(protection, unable), ...notCounted(protection)];
  if (isNothingProtected(facts, protection))
    return {
      ...base,
      tone: 'red',
      figures: protection === null ? [] : runningFigures(protection),
      title: 'Nothing is protected in this disruption',
      sentences: [riskCopy(protection, unable), ...sentences],
      acts: [...actsFor(unable, open > 0 && pauseLabel(open, false)), ...chooseActs(unable, protection)],
      times: 'disrupted',
    };
  const figures = [
    ...(user.heldCampaigns === undefined ? [] : [{ value: figure(held), label: 'paused' }]),
    ...(pausing > 0 && unable === null ? [{ value: figure(pausing), label: 'being paused' }] : []),
    ...(protection === null ? [] : runningFigures(protection)),
    ...(isSafe || user.heldCampaigns === undefined
      ? [{ value: 'Back', label: backLabel(user, unable) }]
      : []),
  ];
  return {
    ...base,
    tone: 'red',
    figures,
    sentences,
    acts: actsFor(unable, open > 0 && pauseLabel(open, isSafe)),
  };
}

function pauseLabel(open: number, too: boolean): string {
  if (open === 1) return too ? 'Pause the other one too' : 'Pause it now';
  return too ? `Pause the ${figure(open)} too` : `Pause all ${figure(open)} now`;
}

/** @param label what protects campaigns; false: nothing does */
function actsFor(unable: Unable, label: string | false): Act[] {
  if (unable === 'access') return [RECONNECT];
  return label === false ? [] : [{ act: 'protect_all', label }];
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

function isNothingProtected({ user }: BannerFacts, protection: Protection | null): boolean {
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

function runningFigures({ unprotected, checking, resumed }: Protection) {
  const spend = spendLabel(unprotected);
  return [
    ...(checking > 0 ? [{ value: figure(checking), label: 'being checked' }] : []),
    ...(resumed > 0 ? [{ value: figure(resumed), label: 'resumed early' }] : []),
    { value: figure(unprotected.count), label: `still running${spend === null ? '' : ` (${spend})`}` },
  ];
}

function backLabel({ resumeSettings }: UserStatus, unable: Unable): string {
  if (unable === 'access') return 'once you reconnect to Meta';
  return `${whenResumed(resumeSettings)} the outage ends`;
}

function cannotPause({ blocked, unprotected }: Protection, unable: Unable): string[] {
  if (unable !== null || blocked === 0) return [];
  if (blocked === unprotected.count) return [`SmartPause can’t pause ${blocked === 1 ? 'it' : 'them'}.`];
  return [`SmartPause can’t pause ${figure(blocked)} of them.`];
}

/** The banner that the specification names for each status except UP. */
export function statusBanner(facts: BannerFacts): Banner | null {
  const { status, user, now, plansAt } = facts;
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
  if (!isMatched(status, user))
    return {
      ...base,
      tone: 'blue',
      headline: headlineOf(status, now),
      level: status.status,
      title: 'Meta Services Disruption Detected',
      sentences: [belowCopy(user)],
      acts: [],
    };
  const protection = user.coverage === undefined ? null : protectionOf(user.coverage, unableOf(facts));
  if (isNothingProtected(facts, protection)) return null;
  return {
    ...base,
    tone: 'yellow',
    title: 'SmartPause Activated - Threshold Matched',
    sentences: matchedCopy(facts, user, protection),
    acts: [...show, ...historyActs(facts)],
  };
}

function matchedCopy(facts: BannerFacts, user: UserStatus, protection: Protection | null): string[] {
  const { protectedCount = 0, unprotected, resumed, unread = [] } = protection ?? {};
  const pausing = pausingOf(user, protection);
  const sentences = pausedCopy(user, pausing, facts.access === 'expired');
  if (sentences.length > 0) return sentences;
  const isIdle =
    protectedCount + (user.protectedRunning ?? 0) === 0 && unprotected?.count === 0 && resumed === 0;
  if (isIdle && unread.length === 0)
    return ['None of your campaigns is running, so there is nothing to pause.'];
  return ['No campaign is paused by SmartPause right now.'];
}

function historyActs({ hasActivity }: BannerFacts): Act[] {
  if (!hasActivity) return [];
  const to = '/activity/latest?result=not_paused#campaigns';
  return [{ act: 'visit', to, label: 'See what wasn’t paused, and why' }];
}
