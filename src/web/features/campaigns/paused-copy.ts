import type { HeldAccount, PlatformStatus, UserStatus } from '#contract/shapes.ts';
import { counted, figure, namesLabel } from '#core/labels.ts';
import { nextOneMinutePastMidnight } from '#core/new-york.ts';
import type { ResumeSettings } from '#core/settings.ts';
import type { ResumeDelay } from '#core/smartpause/resume-delay.ts';
import { restOfDay, restOfDayCopy } from '#core/spend/rest-of-day.ts';
import type { Instant } from '#core/time.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { atOrOnTime, ownClock } from '../../lib/times.ts';
import { isMatched, isPausedEarlyBy } from './campaign-view.ts';
import { countIn } from './protection.ts';

type PausedAll = NonNullable<UserStatus['pausedAll']>;

/** While Meta has suspended SmartPause's own connection nothing is sent. */
const WAITS_FOR_APP = 'waits until SmartPause’s connection to Meta is back';

/** While the threshold is met: what is paused, on its way, or refused. */
export function pausedCopy(user: UserStatus, pausing: number, isRefused: boolean): string[] {
  const { heldCampaigns, heldAccounts, pauseRefused = 0 } = user;
  if (heldCampaigns === undefined || heldAccounts === undefined)
    return ['Campaigns with SmartPause on that were running are paused.', ...finalCopy(pauseRefused)];
  const isHeld = heldCampaigns > 0;
  const held = isHeld
    ? [`${counted(heldCampaigns, 'campaign')} paused in ${counted(heldAccounts.length, 'account')}.`]
    : [];
  const more = isHeld ? `${figure(pausing)} more` : counted(pausing, 'campaign');
  const refusal = `${pausing > 0 ? `${more} can’t be paused` : 'They can’t be resumed'}: Meta no longer accepts our access.`;
  const isConcerned = isHeld || pausing > 0;
  return [
    ...held,
    ...(isRefused && isConcerned ? [refusal] : pausing > 0 ? progressCopy(user, more) : []),
    ...finalCopy(pauseRefused),
  ];
}

/** Of pauses on their way, and what they wait for. @param more '2 campaigns' */
export function progressCopy({ isSuspended, notYetPaused }: UserStatus, more: string): string[] {
  if (isSuspended === true) return [`Pausing ${more} ${WAITS_FOR_APP}.`];
  const because = notYetPaused?.because ?? null;
  return [`Pausing ${more}.`, ...(because === null ? [] : [BECAUSE[because]])];
}

const BECAUSE = {
  no_answer: 'Meta isn’t responding, so we keep trying.',
  limit: 'Meta’s rate limit for the ad account is reached, so we continue when Meta allows it.',
  app_limit: 'SmartPause’s own limit at Meta is reached, so we continue when Meta allows it.',
};

/** An email names them, with Meta's own words. The banner of the outage counts them as running. */
function finalCopy(refused: number): string[] {
  return refused === 0 ? [] : [`Meta refused to pause ${counted(refused, 'campaign')}.`];
}

/** '5 minutes after', to be followed by what ends. */
export function whenResumed(settings: ResumeSettings | null): string {
  if (settings === null) return 'after';
  if (settings.mode === 'instant') return 'as soon as';
  if (settings.mode === 'next_day') {
    if (settings.zone !== undefined) return 'at 12:01 AM in the ad account’s time zone on the day after';
    const own = ownClock(nextOneMinutePastMidnight(serverNow()))?.split(', ').at(-1);
    return `at 12:01 AM EST${own === undefined ? '' : ` (${own} your time)`} on the day after`;
  }
  const { value, unit } = settings.delay;
  return `${counted(value, unit.replace(/s$/, ''))} after`;
}

/** When held campaigns of the ad account are due; null: no resume is scheduled. */
export function resumeAtOf({ resumeAt, heldAccounts }: UserStatus, accountId: string): Instant | null {
  const at = heldAccounts?.find(({ id }) => id === accountId)?.resumeAt ?? resumeAt;
  return at === null ? null : Date.parse(at);
}

/** For a held campaign of the ad account: 'until the outage ends', 'resumes at 9:10 PM EST', or what it waits for. */
export function resumesCopy(user: UserStatus | undefined, accountId: string, now: Instant): string {
  if (user === undefined) return '';
  const { heldAccounts } = user;
  const at = resumeAtOf(user, accountId);
  if (at !== null) {
    const delay = heldAccounts?.find(({ id }) => id === accountId)?.delayedBy;
    if (at <= now && heldAccounts !== undefined) return delay === undefined ? RESUMING : LATE[delay];
    return `resumes ${atOrOnTime(at, now)}${delay === 'login' ? ' if you log in' : ''}`;
  }
  if (user.pausedAll?.until === null) return untilWordEnds(user.pausedAll, now);
  const isEarly = (user.pausedEarly ?? 0) > 0;
  if (user.resumeSettings?.mode === 'instant') return isEarly ? 'until it’s over' : 'until the outage ends';
  return `resumes ${whenResumed(user.resumeSettings)} ${isEarly ? 'it’s over' : 'the outage ends'}`;
}

/** Of 'Pause all now': 'until you choose “Resume all”, or at 9:10 PM EST'. */
export function untilWordEnds({ until }: PausedAll, now: Instant): string {
  const at = until === null ? null : Date.parse(until);
  return `until you choose “Resume all”${at === null ? '' : `, or ${atOrOnTime(at, now)}`}`;
}

/** After 'Resume all': what SmartPause resumes at once, and what not yet. @param user as before it */
export function resumedAllCopy(
  status: Pick<PlatformStatus, 'status' | 'since' | 'warning'> | null,
  user: UserStatus | undefined,
): string {
  const { heldCampaigns = 0, pausedAll, resumeSettings } = user ?? {};
  const others = heldCampaigns - (pausedAll?.campaigns ?? 0);
  // An outage has ended during it: its delay applies.
  const hasEnded = pausedAll !== undefined && Date.parse(status?.since ?? '') > Date.parse(pausedAll.since);
  if (user?.isSuspended === true) return `Resuming ${WAITS_FOR_APP}.`;
  if (isMatched(status, user))
    return 'Meta’s outage goes on: what it keeps paused resumes after it, as set in Settings.';
  if (isPausedEarlyBy(status, user))
    return 'The early warning goes on: what it keeps paused resumes after it, as set in Settings.';
  return others > 0 || (hasEnded && resumeSettings?.mode !== 'instant')
    ? 'SmartPause resumes what only you paused. What an outage kept paused resumes as set in Settings.'
    : 'SmartPause resumes what it paused for you.';
}

/** The banner below the threshold. A scheduled resume may be hours away: its own banner says when. */
export function belowCopy(
  { resumeAt, outageThreshold, heldCampaigns = 0, pausedAll, pausedEarly = 0 }: UserStatus,
  isRefused = false,
): string {
  const [stay, was] = heldCampaigns === 1 ? ['stays', 'it was'] : ['stay', 'they were'];
  const held = `${counted(heldCampaigns, 'campaign')} ${stay} paused`;
  if (pausedAll !== undefined)
    return `The status is below your threshold. ${heldCampaigns === 0 ? '“Pause all now” is on' : held} ${untilWordEnds(pausedAll, serverNow())}.`;
  if (pausedEarly > 0 && resumeAt === null) return `${held}: the early warning goes on.`;
  // The threshold was raised after they were paused.
  if (heldCampaigns > 0 && resumeAt === null)
    return `${held}: the status still meets the threshold that ${was} paused for.`;
  const waits = heldCampaigns === 1 ? '1 paused one waits' : `${figure(heldCampaigns)} paused ones wait`;
  return [
    `Your campaigns remain active or are resuming, because the status is below your threshold${outageThreshold === null ? '' : ` (${outageThreshold})`}.`,
    ...(isRefused && heldCampaigns > 0 ? [`The ${waits} for your login.`] : []),
  ].join(' ');
}

/** The banner while Meta's status is unknown. */
export function unknownCopy(user: UserStatus | undefined): string {
  const unread = 'We can’t read Meta’s status page.';
  if (user?.pausedAll !== undefined)
    return `${unread} “Pause all now” keeps your campaigns paused all the same.`;
  const first = `${unread} Nothing is paused until we can read it again.`;
  if (user !== undefined && user.resumeAt !== null) return `${first} Scheduled resumes still run on time.`;
  const held = user?.heldCampaigns ?? 0;
  if (held === 0) return first;
  if ((user?.pausedEarly ?? 0) > 0) return unread;
  return `${first} ${counted(held, 'campaign')} ${held === 1 ? 'stays' : 'stay'} paused until then.`;
}

/** What the scheduled resume is for. */
export function scheduledCopy(
  campaigns: string,
  accounts: readonly HeldAccount[],
  settings: ResumeSettings | null,
  { condition = '', isEarly = false } = {},
): string {
  const choice = settings?.mode === 'delay' || settings?.mode === 'next_day';
  const why = choice
    ? `: you chose ${whenResumed(settings)} ${isEarly ? 'it’s over' : 'the outage ends'}`
    : '';
  return `${campaigns} in ${namesLabel(accounts)}${why}${condition}.`;
}

/** What Meta may spend on the day of their resume. */
export function catchUpCopy(accounts: readonly HeldAccount[], at: Instant): string[] {
  const resumed = accounts.flatMap(({ spend, currency, timeZone }) =>
    spend === undefined ? [] : [{ ...spend, currency, timeZone, at }],
  );
  return [restOfDayCopy(restOfDay(resumed))].filter((copy) => copy !== null);
}

/** Ad accounts whose day begins later: '2 campaigns in Lind Outdoor resume at 3:01 AM EST.' */
export function laterCopy(accounts: readonly HeldAccount[], now: Instant): string[] {
  const later = Map.groupBy(accounts, ({ resumeAt }) => resumeAt);
  return [...later].flatMap(([resumeAt, of]) => {
    if (resumeAt === undefined) return [];
    const at = Date.parse(resumeAt);
    // What delays a late one has a sentence of its own.
    const due = at > now ? of : of.filter(({ delayedBy }) => delayedBy === undefined);
    const count = countIn(due);
    const when = at > now ? `resume${count === 1 ? 's' : ''} ${atOrOnTime(at, now)}` : 'resuming now';
    return count === 0 ? [] : [`${counted(count, 'campaign')} in ${namesLabel(due)}: ${when}.`];
  });
}

/** For a user without a subscription: the paused campaigns, and when they resume. */
export function lapsedCopy(
  { heldCampaigns: count = 0, pausedAll: word, pausedEarly = 0 }: UserStatus,
  resumeAt: Instant | null,
  now: Instant,
) {
  const [are, they] = count === 1 ? ['is', 'It still resumes'] : ['are', 'They still resume'];
  const at = resumeAt !== null && resumeAt > now ? atOrOnTime(resumeAt, now) : 'now';
  const ends = `when the ${pausedEarly > 0 ? 'early warning' : 'disruption'} ends, as set in Settings`;
  const end = word?.until === null ? 'when you choose “Resume all”' : ends;
  const when = resumeAt === null ? end : at;
  return {
    title: `${counted(count, 'campaign')} ${are} paused by SmartPause right now`,
    text: `${they} ${when}. You don’t need a subscription for that.`,
  };
}

const RESUMING = 'resuming now';

/** Of a resume that is late, in a row. */
const LATE: Record<ResumeDelay, string> = {
  login: 'resumes once you log in again',
  access_lost: 'can’t resume without access to the ad account',
  limited: 'resuming, waits for Meta’s rate limit for the ad account',
  suspended: WAITS_FOR_APP,
  app_limit: 'resuming, waits for SmartPause’s own limit at Meta',
  no_answer: 'resuming, waits for Meta',
  // Another campaign of the ad account is refused or postponed: those have words of their own.
  refused: RESUMING,
  other_tool: RESUMING,
};

const DELAYS: Record<ResumeDelay, (accounts: string) => string> = {
  login: () => 'Meta no longer accepts our access: nothing resumes until you log in again.',
  access_lost: (accounts) =>
    `You no longer have access to ${accounts} on Meta: nothing resumes there without it.`,
  limited: (accounts) =>
    `Meta’s rate limit for ${accounts} is reached: resuming continues when Meta allows it.`,
  suspended: () => `Resuming ${WAITS_FOR_APP}.`,
  app_limit: () => BECAUSE.app_limit,
  no_answer: (accounts) => `Meta isn’t responding for ${accounts}: we keep trying.`,
  refused: (accounts) => `Meta refuses to resume campaigns in ${accounts}: we keep trying.`,
  other_tool: (accounts) =>
    `Another tool has campaigns in ${accounts} off at this time: we resume them after its hours.`,
};

/** What delays the resume, one sentence for each cause. */
export function delayCopy(accounts: readonly HeldAccount[], now: Instant): string[] {
  const byCause = Map.groupBy(accounts, ({ delayedBy }) => delayedBy);
  const causes = [...byCause].flatMap(([cause, delayed]) => {
    const left =
      cause === 'other_tool' ? delayed.filter(({ postponed }) => postponed === undefined) : delayed;
    return cause === undefined || left.length === 0 ? [] : [DELAYS[cause](namesLabel(left))];
  });
  return [...causes, ...postponedCopy(accounts, now)];
}

/** The campaigns that wait for the end of another tool's hours. */
function postponedCopy(accounts: readonly HeldAccount[], now: Instant): string[] {
  const waiting = accounts.filter(({ postponed }) => postponed !== undefined);
  const { count, until } = postponedIn(waiting);
  if (until === null) return [];
  const they = count === 1 ? 'it resumes' : 'they resume';
  const when = `${atOrOnTime(until, now)} at the latest`;
  return [
    `Another tool has ${counted(count, 'campaign')} in ${namesLabel(waiting)} off at this time: ${they} ${when}.`,
  ];
}

/** How many these are, and when the last of them is resumed at the latest; null: none. */
export function postponedIn(accounts: readonly HeldAccount[]): { count: number; until: Instant | null } {
  const all = accounts.flatMap(({ postponed }) => postponed ?? []);
  return {
    count: countIn(all),
    until: all.length === 0 ? null : Math.max(...all.map(({ until }) => Date.parse(until))),
  };
}

/** A resume there would fail. */
export function isDelayed({ delayedBy }: HeldAccount): boolean {
  return delayedBy !== undefined && delayedBy !== 'other_tool';
}

/** Ad accounts with campaigns that SmartPause keeps paused and that the user can open, most campaigns first. */
export function shownAccounts(user: UserStatus | undefined) {
  return user?.heldAccounts?.filter(({ delayedBy }) => delayedBy !== 'access_lost') ?? [];
}
