import { figure } from '#core/labels.ts';
import { lastActivities } from '#core/notifications.ts';
import { fullTimeWithUtc } from '#core/new-york.ts';
import type { Signal } from '#core/smartpause/signals.ts';
import type { PendingActivity } from '../../db/reports/notified-activities.ts';
import type { Facts } from '../facts.ts';
import type { Notification } from '../render.ts';
import {
  NONE_STAYS,
  isRefused,
  laterCopy,
  notPausedCopy,
  openDashboard,
  paused,
  scheduleCopy,
  seeActivity,
  unfinishedCopy,
} from './campaigns.ts';
import { byAccount, campaigns, itOrThem, notChanged } from './lists.ts';
import { isChangeable, obstacleCopy } from './obstacles.ts';
import { sharedRefusal } from './refusals.ts';

/** All of it is of the user's own word. */
export function isOfWord(acts: readonly PendingActivity[]): boolean {
  return acts.length > 0 && acts.every(({ cause }) => cause?.by === 'user');
}

/** An outage has paused campaigns, or the user's own word. */
export function pausedFor(facts: Facts): Notification {
  return isOfWord(lastActivities(facts.acts)) ? pausedAll(facts) : paused(facts);
}

function pausedAll(facts: Facts): Notification {
  const { word, user } = facts;
  const last = lastActivities(facts.acts);
  const [refused, done] = [last.filter(isRefused), last.filter((act) => !isRefused(act))];
  const held = done.filter(({ isHeld }) => isHeld);
  const resumable = held.filter(isChangeable(facts));
  const others = refused.length === 0 || done.length === 0 ? '' : `, ${figure(refused.length)} not paused`;
  const did =
    done.length > 0
      ? `Paused ${campaigns(done.length)}${others}`
      : `Meta refused to pause ${campaigns(refused.length)}`;
  const day = word?.since ?? last[0]?.at ?? null;
  return {
    subject: `${did}: you chose “Pause all now”`,
    blocks: [
      word !== null && user.leaving === null && resumable.length > 0
        ? wordCopy(word, resumable.length)
        : null,
      done.length > 0 && held.length === 0 ? NONE_STAYS : null,
      scheduleCopy(resumable),
      ...obstacleCopy(facts, held),
      ...notPausedCopy(facts, refused, done.length === 0, {
        isOn: word !== null,
        ended: 'Your “Pause all now” has ended since then.',
        during: 'while “Pause all now” is on',
      }),
      unfinishedCopy(facts, 'paused'),
      ...byAccount('Paused', done, { day, later: (act) => laterCopy(act, day) }),
      ...notChanged('Not paused', refused, { said: sharedRefusal(refused), day }),
      done.length > 0 ? seeActivity(facts) : openDashboard(facts),
    ],
  };
}

/** Until when the user's own word keeps them paused. */
export function wordCopy({ since, until }: Signal, count: number): string {
  const end = until === null ? 'when you choose “Resume all”' : `on ${fullTimeWithUtc(until)}`;
  const them = itOrThem(count);
  return `You chose “Pause all now” on ${fullTimeWithUtc(since)}. SmartPause resumes ${them} ${end}. An outage of Meta that goes on then keeps ${them} paused.`;
}
