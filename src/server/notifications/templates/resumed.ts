import { describeEvent } from '#core/events.ts';
import { figure } from '#core/labels.ts';
import { lastActivities } from '#core/notifications.ts';
import type { EmailList } from '#core/outages/end-words.ts';
import { EMAIL_LISTS } from '#core/outages/end-words.ts';
import { restOfDay, restOfDayCopy } from '#core/spend/rest-of-day.ts';
import { KEPT_LATER } from '#core/spend/words.ts';
import type { PendingActivity } from '../../db/reports/notified-activities.ts';
import type { Facts } from '../facts.ts';
import type { Block, Notification } from '../render.ts';
import { activityPage, isOfEarlyWarning, openDashboard, seeActivity, unfinishedCopy } from './campaigns.ts';
import { againCopy, byAccount, campaigns, itOrThem, notChanged } from './lists.ts';
import { isResumeDue, obstacleCopy } from './obstacles.ts';
import { outageCopy } from './outage.ts';
import { isOfWord } from './pause-all.ts';
import { metaSays, retriedCopy, sharedRefusal } from './refusals.ts';

const EARLY_OVER =
  'The early warning no longer pauses campaigns. Meta’s status page reported no outage that met your threshold.';

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

/** Null: what was held up is being resumed now. */
export function resumed(facts: Facts): Notification | null {
  const { user, outages } = facts;
  const last = lastActivities(facts.acts).filter((act) => !isHeldUp(act, facts));
  const waiting = facts.isSuspended ? facts.held.filter(isResumeDue(facts)) : [];
  if (last.length + waiting.length === 0) return null;
  const day = outages.at(-1)?.startedAt ?? null;
  const retried = retriedResumes(last);
  return {
    subject: subjectOf(last, waiting.length),
    page: activityPage(facts),
    blocks: [
      isOfWord(resumesOf(last)) ? '“Pause all now” has ended.' : null,
      isOfEarlyWarning(resumesOf(last)) ? EARLY_OVER : null,
      ...obstacleCopy(facts, waiting),
      ...(user.leaving === null
        ? nextAfterResume(facts, last, waiting.length > 0)
        : leavingCopy(retried, waiting.length > 0)),
      unfinishedCopy(facts, 'resumed'),
      catchUpCopy(resumesOf(last)),
      ...outageCopy(facts),
      ...byAccount('Resumed', resumesOf(last), { later: againCopy, day }),
      ...byAccount('Still paused', waiting, { day }),
      ...notResumed(last, { said: sharedRefusal(retried), day }),
      retried.length + waiting.length > 0 && user.leaving === null ? openDashboard(facts) : null,
      waiting.length > 0 ? null : keptLaterCopy(facts, last),
      seeActivity(facts),
    ],
  };
}

/** Of one outage that is over, with all its campaigns resumed: where it will be said what it kept. */
function keptLaterCopy(facts: Facts, last: readonly PendingActivity[]): Block | null {
  const { outages, user, unfinished, held } = facts;
  const isOver = outages.length === 1 && outages[0]?.endedAt != null;
  const areResumed = resumesOf(last).length === last.length && unfinished + held.length === 0;
  if (!isOver || user.leaving !== null || !areResumed) return null;
  return { ...KEPT_LATER, address: activityPage(facts) };
}

/** What Meta may spend on the day of the resumes. */
function catchUpCopy(resumes: readonly PendingActivity[]): string | null {
  const accounts = [...Map.groupBy(resumes, ({ accountId }) => accountId).values()];
  const resumed = accounts.map((own) => ({
    currency: own[0]?.currency ?? undefined,
    timeZone: own[0]?.timeZone ?? undefined,
    count: own.length,
    budget: own.reduce((sum, { dailyBudget }) => sum + (dailyBudget ?? 0), 0),
    unknownBudgets: own.filter(({ dailyBudget }) => dailyBudget === null).length,
    at: Math.max(...own.map(({ at }) => at)),
  }));
  return restOfDayCopy(restOfDay(resumed));
}

/** The resume waits until Meta serves our app again, or has waited for that and is being sent. */
function isHeldUp(act: PendingActivity, { isSuspended }: Facts): boolean {
  if (act.end !== null) return false;
  return act.happened.event === 'held_up' || (isSuspended && listOfEvent(act) === 'Not resumed yet');
}

/** @param waiting counts the campaigns that Meta does not let us resume */
function subjectOf(last: readonly PendingActivity[], waiting: number): string {
  const results = resultsOf(last).map(({ result, did, own }, index) =>
    index === 0 ? did(own.length) : `${figure(own.length)} ${result.toLowerCase()}`,
  );
  if (waiting === 0) return results.join(', ');
  return results.length === 0
    ? `Still paused: Meta doesn’t let SmartPause resume ${campaigns(waiting)}`
    : `${results.join(', ')}, ${figure(waiting)} still paused`;
}

/** Of a user who leaves: a refused resume is tried for about an hour. */
function leavingCopy(retried: readonly PendingActivity[], isWaiting: boolean): (string | null)[] {
  const { length } = retried;
  const asked = 'You asked us to revoke our access to your ad accounts';
  if (isWaiting)
    return [`${asked}. Before that SmartPause resumes what it paused.`, 'Then our access is revoked.'];
  if (length === 0) return [`${asked}, so campaigns paused by SmartPause were resumed first.`];
  return [
    `${asked}. Before that SmartPause resumes what it paused, and Meta refused to resume ${campaigns(length)}.`,
    metaSays(sharedRefusal(retried)),
    `SmartPause tries again after 1 minute, 10 minutes and 1 hour. You can also resume ${itOrThem(length)} in Ads Manager. Then our access is revoked.`,
  ];
}

/** What SmartPause goes on to do, and what is left to the user: one paragraph each. */
function nextAfterResume(
  facts: Facts,
  last: readonly PendingActivity[],
  isWaiting: boolean,
): (Block | null)[] {
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
  const whereOn = last.filter(({ isOn }) => isOn);
  const on = whereOn.length;
  const off = last.filter((act) => !act.isOn && !isGone(act)).length;
  const protection = [
    tried + later.length + left + off === 0 && !isWaiting && 'No action needed.',
    on > 0 &&
      `SmartPause stays on for ${isWaiting ? namedOrCounted(whereOn) : on === last.length ? itOrThem(on) : campaigns(on)} in the next disruption.`,
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
