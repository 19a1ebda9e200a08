import { SUSPENDED } from '#core/app-state.ts';
import { spendLabel, totalOf } from '#core/coverage.ts';
import { describeEvent } from '#core/events.ts';
import { lastActivities } from '#core/notifications.ts';
import { fullTimeWithUtc } from '#core/new-york.ts';
import { RETRY_WORDS } from '#core/outages/activity-text.ts';
import { DISRUPTION_WORDS, counted, figure } from '#core/labels.ts';
import { RELEASE_LABELS } from '#core/outages/release-labels.ts';
import { meetsThreshold } from '#core/smartpause/level.ts';
import type { Instant } from '#core/time.ts';
import { minutes } from '#core/time.ts';
import type { PendingActivity } from '../../db/reports/notified-activities.ts';
import type { Facts } from '../facts.ts';
import type { Block, Notification } from '../render.ts';
import { isChangeable, obstacleCopy, resumeNowCopy } from './obstacles.ts';
import { resumeCopyOf } from './resume-copy.ts';
import { byAccount, campaigns, itOrThem, notChanged, timeOn } from './lists.ts';
import { metaSays, retryNowCopy, sharedRefusal } from './refusals.ts';

export function paused(facts: Facts): Notification {
  const { outages, threshold } = facts;
  const last = lastActivities(facts.acts);
  const [refused, done] = [last.filter(isRefused), last.filter((act) => !isRefused(act))];
  const { cause = null, at = facts.now } = last[0] ?? {};
  const decidedAt = cause?.decidedAt ?? at;
  const reported = outages.flatMap(({ levels }) => levels).findLast((one) => one.at <= decidedAt);
  const level = cause?.level ?? reported?.level ?? 'UP';
  const day = reported?.at ?? null;
  const [source, setBy] = cause?.isOverride === true ? ['our team', ', set by our team'] : ['Meta', ''];
  const isEarly = isOfEarlyWarning(last);
  const report = isEarly ? 'early warning of an outage' : `${source} reports ${DISRUPTION_WORDS[level]}`;
  const others = refused.length === 0 ? '' : `, ${figure(refused.length)} not paused`;
  const running = runningCopy(facts, refused.length > 0);
  const during = isEarly ? 'an early warning' : DISRUPTION_WORDS[level];
  const kept = done.length > 0 && done.every(wasEarly);
  return {
    subject:
      done.length > 0
        ? `SmartPause ${kept ? 'keeps' : 'paused'} ${campaigns(done.length)}${kept ? ' paused' : ''}${others}: ${report}`
        : `Meta refused to pause ${campaigns(refused.length)} during ${during}`,
    page: activityPage(facts),
    blocks: [
      ...(isEarly ? [NOT_META, facts.warning] : []),
      kept ? aheadCopy(done, reported?.at ?? decidedAt) : null,
      ...(done.length > 0 ? nextCopy(facts, done, refused.length + running.length === 0) : []),
      ...(isEarly
        ? notPausedCopy(facts, refused, done.length === 0, earlyWords(facts))
        : notPausedCopy(facts, refused, done.length === 0)),
      unfinishedCopy(
        facts,
        'paused',
        done.some(({ isHeld }) => isHeld),
      ),
      ...running,
      isEarly
        ? null
        : {
            status: level,
            since: day === null ? null : `${fullTimeWithUtc(day)}${setBy}`,
            text: `Your threshold is ${threshold.toLowerCase()}.`,
          },
      ...byAccount('Paused', done, { day, later: (act) => laterCopy(act, day) }),
      ...notChanged('Not paused', refused, { said: sharedRefusal(refused), day }),
      resumeNowCopy(
        facts,
        done.filter((act) => act.isHeld && isChangeable(facts)(act)),
      ),
      done.length > 0 ? seeActivity(facts) : openDashboard(facts),
    ],
  };
}

/** All of it is of an early warning, and of no disruption yet. */
export function isOfEarlyWarning(acts: readonly PendingActivity[]): boolean {
  return acts.length > 0 && acts.every(({ cause }) => cause?.by === 'early_warning');
}

export const NOT_META =
  'This is SmartPause’s own suspicion. Meta’s status page doesn’t say so yet, and it can be false.';

const earlyWords = ({ isWarned }: Facts) => ({
  isOn: isWarned,
  ended: 'The early warning no longer pauses campaigns.',
  during: 'during this early warning',
});

/** An early warning had paused it, and now Meta reports the outage. */
function wasEarly({ happened }: PendingActivity): boolean {
  return happened.event === 'paused' && happened.facts.wasEarly === true;
}

function aheadCopy(kept: readonly PendingActivity[], reportedAt: Instant): string {
  const first = Math.min(...kept.map(({ pausedAt }) => pausedAt ?? reportedAt));
  const ahead = Math.max(1, Math.round((reportedAt - first) / minutes(1)));
  return `An early warning had paused ${itOrThem(kept.length)} ${counted(ahead, 'minute')} before Meta’s page reported the disruption.`;
}

/**
 * What becomes of the refused pauses: one paragraph each.
 * @param isAll the subject says that they were refused
 * @param given.isOn they are still to be paused
 */
export function notPausedCopy(
  facts: Facts,
  refused: readonly PendingActivity[],
  isAll: boolean,
  given = {
    isOn: meetsThreshold(facts.status.known, facts.threshold),
    ended: 'The disruption has since dropped below your threshold.',
    during: 'in this disruption',
  },
): (Block | null)[] {
  const { isSuspended } = facts;
  if (refused.length === 0) return [];
  const says = metaSays(sharedRefusal(refused));
  const count = (has: (act: PendingActivity) => boolean) => refused.filter(has).length;
  const isTried = ({ happened, end }: PendingActivity) => happened.event === 'retrying' && end === null;
  const [tried, final] = [count(isTried), count(({ happened }) => happened.event === 'refused')];
  const over = refused.length - tried - final;
  const refusedTo = (own: number) =>
    isAll && own === refused.length ? '' : `Meta refused to pause ${campaigns(own)}. `;
  const keeps = (own: number) =>
    `${refusedTo(own)}${own === 1 ? 'It keeps' : 'They keep'} running and spending`;
  if (!given.isOn) return [`${refusedTo(refused.length)}${given.ended}`, says];
  return [
    tried > 0 ? `${keeps(tried)} until Meta accepts the pause.` : null,
    final > 0
      ? `${refusedTo(final)}SmartPause does not try again ${given.during}. Check ${itOrThem(final)} in Ads Manager.`
      : null,
    says,
    ...(tried > 0 && !isSuspended ? [`${RETRY_WORDS}.`, retryNowCopy(facts)] : []),
    over > 0 ? `SmartPause no longer tries to pause ${campaigns(over)}.` : null,
  ];
}

/**
 * What still spends while the threshold is met, as the dashboard has it at the moment of the email.
 * @param saysRefused the email says why SmartPause cannot pause some
 */
function runningCopy(facts: Facts, saysRefused: boolean): Block[] {
  const { coverage, status, threshold, publicUrl, isSuspended } = facts;
  const running = totalOf(coverage, ['open', 'blocked']);
  const { count } = running;
  if (count === 0 || !meetsThreshold(status.known, threshold)) return [];
  const spend = spendLabel(running);
  const open = totalOf(coverage, ['open']).count;
  const cannot =
    open === count || saysRefused
      ? ''
      : ` Meta doesn’t let SmartPause pause ${open === 0 ? itOrThem(count) : `${figure(count - open)} of them`}.`;
  const text = `${campaigns(count)} still ${count === 1 ? 'runs' : 'run'}${spend === null ? '' : ` (${spend})`}.${cannot}`;
  const them = open < count ? figure(open) : count === 1 ? 'it' : `the ${figure(count)}`;
  return open === 0 || isSuspended ? [text] : [text, { button: `Pause ${them} too`, address: publicUrl }];
}

export function isRefused({ happened: { event } }: PendingActivity): boolean {
  return event === 'refused' || event === 'retrying';
}

/** How a pause ended; null: it goes on. */
export function laterCopy(act: PendingActivity, day: Instant | null): string | null {
  const { end, isHandedOver, isResumeAsked, isHeld } = act;
  if (isHeld) return null;
  if (isResumeAsked) return 'being resumed with “Resume now”';
  if (isHandedOver) return 'SmartPause keeps it paused for another user of the ad account';
  // The campaign was found running, or its pause is not wanted any more.
  if (end === null) return 'no longer paused by SmartPause';
  return end.reason === null ? `resumed ${timeOn(day, end.at)}` : RELEASE_LABELS[end.reason];
}

export const NONE_STAYS = 'None of the paused campaigns stays paused by SmartPause.';

/** Of those that another tool has off at times; null: none. */
export function scheduleCopy(held: readonly PendingActivity[]): string | null {
  const timed = held.filter(({ hasSchedule }) => hasSchedule).length;
  if (timed === 0) return null;
  return `Another tool has ${campaigns(timed)} off at certain hours. A resume in these hours waits until 15 minutes after them.`;
}

/** One paragraph per fact; promises a resume only for campaigns that are held and that Meta lets us change now. */
function nextCopy(facts: Facts, done: readonly PendingActivity[], isRestPaused: boolean): (Block | null)[] {
  const held = done.filter(({ isHeld }) => isHeld);
  if (held.length === 0) return [NONE_STAYS];
  const count = held.filter(isChangeable(facts)).length;
  if (count === 0) return obstacleCopy(facts, held);
  // A chat shows what still runs before it: the sentence says itself which campaigns it means.
  const all = `exactly the ${count === 1 ? 'paused campaign' : `${figure(count)} paused campaigns`}`;
  const some =
    count < held.length
      ? `${figure(count)} of the ${figure(held.length)} paused campaigns`
      : `the ${campaigns(count)} still paused`;
  const when = resumeCopyOf(
    facts,
    {
      ...{ threshold: held[0]?.cause?.threshold, campaigns: held.filter(isChangeable(facts)) },
      isEarly: isOfEarlyWarning(held),
    },
    count === done.length ? all : some,
  );
  return [
    `${when}, and we’ll tell you.`,
    scheduleCopy(held),
    isRestPaused && count === held.length ? 'No action needed.' : null,
    ...obstacleCopy(facts, held),
  ];
}

/** External changes: the advertiser's change wins. */
export function disabled(facts: Facts): Notification {
  const acts = lastActivities(facts.acts);
  const them = itOrThem(acts.length);
  // One that is gone cannot be protected again.
  const count = acts.filter(
    ({ isOn, happened }) =>
      !isOn && !['deleted', 'archived'].includes(describeEvent(happened).endReason ?? ''),
  ).length;
  const some = `the ${campaigns(count)} that ${count === 1 ? 'is' : 'are'} still off`;
  const off = count === acts.length ? them : some;
  const [were, times] =
    acts.length === 1
      ? ['it was', 'The time is when SmartPause noticed the change.']
      : ['they were', 'The times are when SmartPause noticed the changes.'];
  const next = `SmartPause won’t pause ${off} in the next disruption. To protect ${off}, turn SmartPause back on.`;
  return {
    subject: `SmartPause ${count === acts.length ? 'is' : 'was'} disabled for ${campaigns(acts.length)}: changed outside SmartPause`,
    blocks: [
      count > 0 ? next : null,
      `SmartPause had paused ${them}, and ${were} then changed outside SmartPause, for example in Ads Manager. Your change wins. ${times}`,
      ...notChanged('Disabled', acts),
      openDashboard(facts),
    ],
  };
}

/** @param isSaid another paragraph says that our connection is suspended */
export function unfinishedCopy(
  { unfinished, isSuspended }: Facts,
  done: 'paused' | 'resumed',
  isSaid = false,
): string | null {
  if (unfinished === 0) return null;
  const are = `${counted(unfinished, 'more campaign')} ${unfinished === 1 ? 'is' : 'are'}`;
  // Paused ones have a paragraph of their own.
  if (isSuspended && done === 'resumed') return null;
  if (isSuspended) {
    const why = isSaid ? '. Until our connection is' : `: ${SUSPENDED} Until it’s`;
    return `${are} not paused${why} back, pause ${itOrThem(unfinished)} in Ads Manager.`;
  }
  return `${are} not ${done} yet. SmartPause keeps trying, and we’ll tell you when it’s done.`;
}

export function openDashboard({ publicUrl }: Facts): Block {
  return { button: 'Open SmartPause', address: publicUrl };
}

export function seeActivity(facts: Facts): Block {
  return { button: 'See what happened', address: activityPage(facts) };
}

/** Of emails about pauses and resumes: the page of the outage, or the list unless it was one. */
export function activityPage({ publicUrl, outages: [outage, ...more] }: Facts): string {
  return `${publicUrl}/activity${outage === undefined || more.length > 0 ? '' : `/${outage.id}`}`;
}
