import { SUSPENDED } from '#core/app-state.ts';
import { counted } from '#core/labels.ts';
import { fullTimeWithUtc } from '#core/new-york.ts';
import { resumeWithin } from '#core/smartpause/other-schedule.ts';
import { resumeAt } from '#core/smartpause/resume-time.ts';
import type { Instant } from '#core/time.ts';
import type { HeldCampaign, PendingActivity } from '../../db/reports/notified-activities.ts';
import type { Facts } from '../facts.ts';
import type { Block } from '../render.ts';
import { itOrThem, stay } from './lists.ts';

type Obstacles = Pick<PendingActivity, 'isReachable' | 'isBlocked'>;

/** A paused campaign, or the activity of its pause. */
type Waiting = Pick<HeldCampaign, 'timeZone'> &
  Partial<Pick<HeldCampaign, 'threshold' | 'schedule' | 'isResuming'>> &
  Partial<Pick<PendingActivity, 'cause' | 'isResumeAsked'>>;

/** Meta lets us change it now. */
export function isChangeable({ isSuspended }: Pick<Facts, 'isSuspended'>) {
  return ({ isReachable, isBlocked }: Obstacles): boolean => isReachable && !isBlocked && !isSuspended;
}

/** What the user must do before SmartPause can resume all of these campaigns; empty: nothing. */
export function obstacleCopy(facts: Facts, held: readonly (Obstacles & Waiting)[]): Block[] {
  const { publicUrl, isSuspended } = facts;
  if (isSuspended) return suspendedCopy(facts, held);
  const denied = held.filter(({ isReachable }) => !isReachable).length;
  const blocked = held.filter(({ isReachable, isBlocked }) => isReachable && isBlocked).length;
  const [link, address] = ['Log in to SmartPause again', `${publicUrl}/auth/facebook`];
  const logIn = `Meta denies SmartPause access to ${counted(denied, 'paused campaign')}. ${link}, or resume ${itOrThem(denied)} in Ads Manager.`;
  const confirm = `Meta refuses our changes to ${counted(blocked, 'paused campaign')} until you confirm your account in Ads Manager.`;
  return [...(denied > 0 ? [{ sentence: logIn, link, address }] : []), ...(blocked > 0 ? [confirm] : [])];
}

/** When SmartPause would resume it; null: its match lasts. */
function dueAtOf({ user, status, now, threshold: usual }: Facts, campaign: Waiting): Instant | null {
  const { threshold = campaign.cause?.threshold ?? usual, timeZone, schedule = null } = campaign;
  if (user.leaving !== null || campaign.isResuming === true || campaign.isResumeAsked === true) return now;
  const at = resumeAt(status, { threshold, resume: user.resumeSettings, timeZone });
  return at === null || schedule === null ? at : resumeWithin(schedule, Math.max(at, now));
}

export function isResumeDue(facts: Facts): (campaign: Waiting) => boolean {
  return (campaign) => (dueAtOf(facts, campaign) ?? Infinity) <= facts.now;
}

/** Meta refuses our app: no other reason is given beside it. */
function suspendedCopy(facts: Facts, held: readonly Waiting[]): Block[] {
  const { length: count } = held;
  if (count === 0) return [];
  const them = itOrThem(count);
  const dueAt = held.map((campaign) => dueAtOf(facts, campaign));
  const until = dueAt.includes(null)
    ? 'until it’s back and the disruption has dropped below your threshold.'
    : `until it’s back. Then SmartPause resumes ${them}${notBefore(facts, dueAt)}, and we’ll tell you.`;
  return [
    `Meta doesn’t let SmartPause pause or resume campaigns now. ${SUSPENDED}`,
    `${stay(count)} paused ${until}`,
    `To run ${them} sooner, resume ${them} in Ads Manager.`,
  ];
}

function notBefore({ now }: Facts, all: readonly (Instant | null)[]): string {
  const later = all.flatMap((at) => (at === null || at <= now ? [] : at));
  if (later.length === 0) return '';
  return later.length === all.length
    ? `, not before ${fullTimeWithUtc(Math.min(...later))}`
    : `, the last not before ${fullTimeWithUtc(Math.max(...later))}`;
}

/** How to get one of these before its resume is due. */
export function resumeNowCopy({ publicUrl }: Facts, { length }: readonly unknown[]): Block | null {
  if (length === 0) return null;
  const sentence = `To run ${length === 1 ? 'it' : 'one'} sooner, press Resume now in SmartPause. It stays protected for the next outage.`;
  return { sentence, link: 'Resume now', address: publicUrl };
}
