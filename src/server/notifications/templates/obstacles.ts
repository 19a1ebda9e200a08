import { SUSPENDED } from '#core/app-state.ts';
import { counted } from '#core/labels.ts';
import { meetsThreshold } from '#core/smartpause/level.ts';
import type { PendingActivity } from '../../db/reports/notified-activities.ts';
import type { Facts } from '../facts.ts';
import type { Block } from '../render.ts';
import { itOrThem, stay } from './lists.ts';

type Obstacles = Pick<PendingActivity, 'isReachable' | 'isBlocked'>;

/** Meta lets us change it now. */
export function isChangeable({ isSuspended }: Pick<Facts, 'isSuspended'>) {
  return ({ isReachable, isBlocked }: Obstacles): boolean => isReachable && !isBlocked && !isSuspended;
}

/** What the user must do before SmartPause can resume all of these campaigns; empty: nothing. */
export function obstacleCopy(facts: Facts, held: readonly Obstacles[]): Block[] {
  const { publicUrl, isSuspended } = facts;
  if (isSuspended) return suspendedCopy(facts, held.length);
  const denied = held.filter(({ isReachable }) => !isReachable).length;
  const blocked = held.filter(({ isReachable, isBlocked }) => isReachable && isBlocked).length;
  const [link, address] = ['Log in to SmartPause again', `${publicUrl}/auth/facebook`];
  const logIn = `Meta denies SmartPause access to ${counted(denied, 'paused campaign')}. ${link}, or resume ${itOrThem(denied)} in Ads Manager.`;
  const confirm = `Meta refuses our changes to ${counted(blocked, 'paused campaign')} until you confirm your account in Ads Manager.`;
  return [...(denied > 0 ? [{ sentence: logIn, link, address }] : []), ...(blocked > 0 ? [confirm] : [])];
}

/** Meta refuses our app: no other reason is given beside it. */
function suspendedCopy({ status, threshold }: Facts, count: number): Block[] {
  if (count === 0) return [];
  const them = itOrThem(count);
  const until = meetsThreshold(status.known, threshold)
    ? 'until it’s back and the disruption has dropped below your threshold.'
    : `until it’s back. Then SmartPause resumes ${them}, and we’ll tell you.`;
  return [
    `Meta doesn’t let SmartPause pause or resume campaigns now. ${SUSPENDED}`,
    `${stay(count)} paused ${until}`,
    `To run ${them} sooner, resume ${them} in Ads Manager.`,
  ];
}

/** How to get one of these before its resume is due. */
export function resumeNowCopy({ publicUrl }: Facts, { length }: readonly unknown[]): Block | null {
  if (length === 0) return null;
  const sentence = `To run ${length === 1 ? 'it' : 'one'} sooner, press Resume now in SmartPause. It stays protected for the next outage.`;
  return { sentence, link: 'Resume now', address: publicUrl };
}
