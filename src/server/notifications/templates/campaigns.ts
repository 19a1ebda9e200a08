import { spendLabel, totalOf } from '#core/coverage.ts';
import { describeEvent } from '#core/events.ts';
import { lastActivities } from '#core/notifications.ts';
import { fullTimeWithUtc } from '#core/new-york.ts';
import { RETRY_WORDS } from '#core/outages/activity-text.ts';
import { DISRUPTION_WORDS, counted, figure } from '#core/labels.ts';
import type { EmailList } from '#core/outages/end-words.ts';
import { EMAIL_LISTS } from '#core/outages/end-words.ts';
import { RELEASE_LABELS } from '#core/outages/release-labels.ts';
import { meetsThreshold } from '#core/smartpause/level.ts';
import type { Instant } from '#core/time.ts';
import type { PendingActivity } from '../../db/reports/notified-activities.ts';
import type { Facts } from '../facts.ts';
import type { Block, Notification } from '../render.ts';
import { shortMessage } from '../render.ts';
import { outageCopy } from './outage.ts';
import { resumeCopyOf } from './resume-copy.ts';
import { againCopy, byAccount, campaigns, itOrThem, notChanged, timeOn } from './lists.ts';

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
  const report = `${source} reports ${DISRUPTION_WORDS[level]}`;
  const others = refused.length === 0 ? '' : `, ${figure(refused.length)} not paused`;
  const running = runningCopy(facts, refused.length > 0);
  return {
    subject:
      done.length > 0
        ? `SmartPause paused ${campaigns(done.length)}${others}: ${report}`
        : `Meta refused to pause ${campaigns(refused.length)} during ${DISRUPTION_WORDS[level]}`,
    page: activityPage(facts),
    blocks: [
      ...(done.length > 0 ? nextCopy(facts, done, refused.length + running.length === 0) : []),
      ...notPausedCopy(facts, refused, done.length === 0),
      unfinishedCopy(facts, 'paused'),
      ...running,
      {
        status: level,
        since: day === null ? null : `${fullTimeWithUtc(day)}${setBy}`,
        text: `Your threshold is ${threshold.toLowerCase()}.`,
      },
      ...byAccount('Paused', done, { day, later: (act) => (act.isHeld ? null : laterCopy(act, day)) }),
      ...notChanged('Not paused', refused, { said: sharedRefusal(refused), day }),
      resumeNowCopy(
        facts,
        done.filter((act) => act.isHeld && isChangeable(act)),
      ),
      done.length > 0 ? seeActivity(facts) : openDashboard(facts),
    ],
  };
}

/** How to get one of these before its resume is due. */
export function resumeNowCopy({ publicUrl }: Facts, { length }: readonly unknown[]): Block | null {
  if (length === 0) return null;
  const sentence = `To run ${length === 1 ? 'it' : 'one'} sooner, press Resume now in SmartPause. It stays protected for the next outage.`;
  return { sentence, link: 'Resume now', address: publicUrl };
}

/**
 * What becomes of the refused pauses: one paragraph each.
 * @param isAll the subject says that they were refused
 */
function notPausedCopy(facts: Facts, refused: readonly PendingActivity[], isAll: boolean): (Block | null)[] {
  const { status, threshold } = facts;
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
  if (!meetsThreshold(status.known, threshold))
    return [`${refusedTo(refused.length)}The disruption has since dropped below your threshold.`, says];
  return [
    tried > 0 ? `${keeps(tried)} until Meta accepts the pause.` : null,
    final > 0
      ? `${refusedTo(final)}SmartPause does not try again in this disruption. Check ${itOrThem(final)} in Ads Manager.`
      : null,
    says,
    tried > 0 ? `${RETRY_WORDS}.` : null,
    tried > 0 ? retryNowCopy(facts) : null,
    over > 0 ? `SmartPause no longer tries to pause ${campaigns(over)}.` : null,
  ];
}

/** Meta's words, if it refused all of these with the same. */
export function sharedRefusal(acts: readonly PendingActivity[]): string | null {
  const refusals = acts.map(({ happened: { facts } }) => ('refusal' in facts ? facts.refusal : null));
  const [words = null, ...others] = new Set(refusals);
  return others.length === 0 ? words : null;
}

export function metaSays(words: string | null): string | null {
  return words === null ? null : `Meta says: “${shortMessage(words)}”.`;
}

/**
 * What still spends while the threshold is met, as the dashboard has it at the moment of the email.
 * @param saysRefused the email says why SmartPause cannot pause some
 */
function runningCopy({ coverage, status, threshold, publicUrl }: Facts, saysRefused: boolean): Block[] {
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
  return open === 0 ? [text] : [text, { button: `Pause ${them} too`, address: publicUrl }];
}

function isRefused({ happened: { event } }: PendingActivity): boolean {
  return event === 'refused' || event === 'retrying';
}

/** How a pause ended. */
function laterCopy({ end, isHandedOver, isResumeAsked }: PendingActivity, day: Instant | null): string {
  if (isResumeAsked) return 'being resumed with “Resume now”';
  if (isHandedOver) return 'SmartPause keeps it paused for another user of the ad account';
  // The campaign was found running, or its pause is not wanted any more.
  if (end === null) return 'no longer paused by SmartPause';
  return end.reason === null ? `resumed ${timeOn(day, end.at)}` : RELEASE_LABELS[end.reason];
}

/** One paragraph per fact; promises a resume only for campaigns that are held and that Meta lets us change now. */
function nextCopy(facts: Facts, done: readonly PendingActivity[], isRestPaused: boolean): (Block | null)[] {
  const held = done.filter(({ isHeld }) => isHeld);
  if (held.length === 0) return ['None of these campaigns stays paused by SmartPause.'];
  const count = held.filter(isChangeable).length;
  if (count === 0) return obstacleCopy(facts, held);
  const all = count === 1 ? 'exactly this campaign' : 'exactly these campaigns';
  const some =
    count < held.length ? `${figure(count)} of these campaigns` : `the ${campaigns(count)} still paused`;
  const when = resumeCopyOf(facts, held[0]?.cause?.threshold, count === done.length ? all : some);
  const timed = held.filter(({ hasSchedule }) => hasSchedule).length;
  const hours = `Another tool has ${campaigns(timed)} off at certain hours; a resume in these hours waits until 15 minutes after them.`;
  return [
    `${when}, and we’ll tell you.`,
    timed > 0 ? hours : null,
    isRestPaused && count === held.length ? 'No action needed.' : null,
    ...obstacleCopy(facts, held),
  ];
}

type Obstacles = Pick<PendingActivity, 'isReachable' | 'isBlocked'>;

export function isChangeable({ isReachable, isBlocked }: Obstacles): boolean {
  return isReachable && !isBlocked;
}

/** What the user must do before SmartPause can resume all of these campaigns; empty: nothing. */
export function obstacleCopy({ publicUrl }: Facts, held: readonly Obstacles[]): Block[] {
  const denied = held.filter(({ isReachable }) => !isReachable).length;
  const blocked = held.filter(({ isReachable, isBlocked }) => isReachable && isBlocked).length;
  const [link, address] = ['Log in to SmartPause again', `${publicUrl}/auth/facebook`];
  const logIn = `Meta denies SmartPause access to ${counted(denied, 'paused campaign')}. ${link}, or resume ${itOrThem(denied)} in Ads Manager.`;
  const confirm = `Meta refuses our changes to ${counted(blocked, 'paused campaign')} until you confirm your account in Ads Manager.`;
  return [...(denied > 0 ? [{ sentence: logIn, link, address }] : []), ...(blocked > 0 ? [confirm] : [])];
}

/** A refused or postponed resume that has succeeded since is a resume. */
export function listOfEvent({ happened, end }: PendingActivity): EmailList {
  if (end?.reason === null) return 'Resumed';
  return describeEvent(happened).email?.list ?? 'Not resumed';
}

function resultsOf(acts: readonly PendingActivity[]) {
  const byList = Map.groupBy(acts, listOfEvent);
  const results = Object.entries(EMAIL_LISTS).map(([result, did]) => ({
    ...{ result, did, own: byList.get(result as EmailList) ?? [] },
  }));
  return results.filter(({ own }) => own.length > 0);
}

export function resumed(facts: Facts): Notification {
  const last = lastActivities(facts.acts);
  const subject = resultsOf(last).map(({ result, did, own }, index) =>
    index === 0 ? did(own.length) : `${figure(own.length)} ${result.toLowerCase()}`,
  );
  const day = facts.outages.at(-1)?.startedAt ?? null;
  const retried = retriedResumes(last);
  return {
    subject: subject.join(', '),
    page: activityPage(facts),
    blocks: [
      ...(facts.user.leaving === null ? nextAfterResume(facts, last) : leavingCopy(retried)),
      unfinishedCopy(facts, 'resumed'),
      ...outageCopy(facts),
      ...byAccount('Resumed', resumesOf(last), { later: againCopy, day }),
      ...notResumed(last, { said: sharedRefusal(retried), day }),
      retried.length > 0 && facts.user.leaving === null ? openDashboard(facts) : null,
      seeActivity(facts),
    ],
  };
}

/** Of a user who leaves: a refused resume is tried for about an hour. */
function leavingCopy(retried: readonly PendingActivity[]): (string | null)[] {
  const { length } = retried;
  const asked = 'You asked us to revoke our access to your ad accounts';
  if (length === 0) return [`${asked}, so campaigns paused by SmartPause were resumed first.`];
  return [
    `${asked}. Before that SmartPause resumes what it paused, and Meta refused to resume ${campaigns(length)}.`,
    metaSays(sharedRefusal(retried)),
    `SmartPause tries again after 1 minute, 10 minutes and 1 hour. You can also resume ${itOrThem(length)} in Ads Manager. Then our access is revoked.`,
  ];
}

/** What SmartPause goes on to do, and what is left to the user: one paragraph each. */
function nextAfterResume(facts: Facts, last: readonly PendingActivity[]): (Block | null)[] {
  const goesOn = ({ end }: PendingActivity) => end === null;
  const of = (result: EmailList) => last.filter((act) => listOfEvent(act) === result);
  const retried = retriedResumes(last);
  const tried = retried.length;
  const who = tried < last.length ? `Meta refused to resume ${campaigns(tried)}. ` : '';
  const later = of('To be resumed later').filter(goesOn);
  const [final, others] = [
    of('Not resumed').filter(isRefusedForGood).length,
    of('Not resumed').filter((act) => !isGone(act) && !isRefusedForGood(act)).length,
  ];
  const left = final + others;
  const on = last.filter(({ isOn }) => isOn).length;
  const off = last.filter((act) => !act.isOn && !isGone(act)).length;
  const protection = [
    tried + later.length + left + off === 0 && 'No action needed.',
    on > 0 &&
      `SmartPause stays on for ${on === last.length ? itOrThem(on) : campaigns(on)} in the next disruption.`,
    off > 0 &&
      `${campaigns(off)} ${off === 1 ? 'is' : 'are'} no longer protected. Turn SmartPause on for ${itOrThem(off)} to protect ${itOrThem(off)} again.`,
  ];
  return [
    ...(tried > 0 ? retriedCopy(facts, tried, { who, words: sharedRefusal(retried) }) : []),
    later.length > 0
      ? `Another tool has ${namedOrCounted(later)} off at this time, so SmartPause resumes ${itOrThem(later.length)} later.`
      : null,
    final > 0 ? refusedForGoodCopy(facts, final) : null,
    others > 0
      ? `SmartPause does not try again to resume ${campaigns(others)}. Resume ${itOrThem(others)} in Ads Manager, or resume ${itOrThem(others)} in SmartPause after you turn SmartPause off for ${itOrThem(others)}.`
      : null,
    protection.filter((sentence) => sentence !== false).join(' ') || null,
  ];
}

/** Meta refused the resume for a reason that lasts: the hold is over. */
export function isRefusedForGood({ happened }: PendingActivity): boolean {
  return describeEvent(happened).endReason === 'resume_refused';
}

function refusedForGoodCopy({ publicUrl }: Facts, count: number): Block {
  const link = 'Resume now';
  const them = itOrThem(count);
  const sentence = `SmartPause does not try again to resume ${campaigns(count)}. Once the cause is gone, press ${link} in SmartPause, or resume ${them} in Ads Manager.`;
  return { sentence, link, address: publicUrl };
}

/** The name of one, the count of several: lists below name them. */
function namedOrCounted(acts: readonly PendingActivity[]): string {
  const [first] = acts;
  return acts.length === 1 && first !== undefined ? `“${first.name}”` : campaigns(acts.length);
}

/** Of campaigns whose refused resume is tried again. @param given.or what the user may do instead */
export function retriedCopy(
  facts: Facts,
  count: number,
  { words, who = '', or = '' }: { words: string | null; who?: string; or?: string },
): (Block | null)[] {
  return [
    `${who}${count === 1 ? 'It stays' : 'They stay'} paused until Meta accepts the resume.`,
    metaSays(words),
    `${RETRY_WORDS}, and we’ll tell you when ${count === 1 ? 'it is' : 'they are'} resumed.`,
    retryNowCopy(facts, or),
  ];
}

/** @param or what the user may do instead */
export function retryNowCopy({ publicUrl }: Facts, or = ''): Block {
  const link = 'Retry now';
  return { sentence: `To try at once, press ${link} in SmartPause${or}.`, link, address: publicUrl };
}

function retriedResumes(acts: readonly PendingActivity[]): PendingActivity[] {
  return acts.filter((act) => listOfEvent(act) === 'Not resumed yet' && act.end === null);
}

function isResumed(act: PendingActivity): boolean {
  return listOfEvent(act) === 'Resumed';
}

/** With the time of the resume. */
export function resumesOf(acts: readonly PendingActivity[]): PendingActivity[] {
  const timed = ({ happened, end, at, ...act }: PendingActivity) => ({
    ...act,
    happened,
    end,
    at: happened.event === 'resumed' ? at : (end?.at ?? at),
  });
  return acts.filter(isResumed).map(timed);
}

/** There is nothing left to resume. */
function isGone({ happened }: PendingActivity): boolean {
  const reason = describeEvent(happened).endReason;
  return reason === 'deleted' || reason === 'archived' || reason === 'ended';
}

/** Lists of the campaigns that SmartPause did not resume itself. */
export function notResumed(
  acts: readonly PendingActivity[],
  given: Parameters<typeof notChanged>[2] = {},
): Block[] {
  const others = acts.filter((act) => !isResumed(act));
  return resultsOf(others).flatMap(({ result, own }) => notChanged(result, own, given));
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

function unfinishedCopy({ unfinished }: Facts, done: string): string | null {
  if (unfinished === 0) return null;
  const are = `${counted(unfinished, 'more campaign')} ${unfinished === 1 ? 'is' : 'are'}`;
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
