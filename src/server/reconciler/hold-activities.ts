import {
  notRestoredText,
  pausedText,
  refusedText,
  releaseText,
  restoredText,
  resumedText,
  testKeptText,
  testReleaseText,
  testText,
} from '#core/smartpause/activity-text.ts';
import type { HoldEnd, Report } from '#core/smartpause/hold.ts';
import { isTest, writtenStatus } from '#core/smartpause/hold.ts';
import type { KnownLevel } from '#core/smartpause/level.ts';
import type { StoredHold } from '../db/holds/holds.ts';
import type { Activity } from '../db/activities.ts';
import type { User } from '../db/users/users.ts';

/** What is known when the reconciler reports about a hold. */
export interface ActivityFacts {
  /** Name of the campaign. */
  name: string;
  known: KnownLevel;
  /** Owner of the hold. */
  user: Pick<User, 'id' | 'threshold' | 'leaving'>;
  end: HoldEnd | null;
}

/** Own events, so that a test is no pause or resume of an outage anywhere. */
function testActivityOf(
  report: Exclude<Report, 'restored'>,
  hold: StoredHold,
  facts: ActivityFacts,
): Activity {
  const { name, user, end } = facts;
  const { id: holdId, accountId, campaignId } = hold;
  const about = { userId: user.id, accountId, campaignId, holdId, actor: 'smartpause' } as const;
  if (report === 'paused' || report === 'resumed') {
    const type = report === 'paused' ? 'pause' : 'resume';
    return { ...about, type, event: `test_${report}`, message: testText(name, report), reason: 'live test' };
  }
  const reason = end?.outcome === 'released' ? end.reason : (hold.release ?? 'smartpause_off');
  const unconfirmedWrite = end?.outcome === 'released' ? end.unconfirmedWrite : null;
  const message = testReleaseText(name, reason, unconfirmedWrite, hold.refusal);
  return { ...about, type: 'other', event: 'test_released', message, reason };
}

export function activityOf(report: Report, hold: StoredHold, facts: ActivityFacts): Activity {
  if (isTest(hold) && report !== 'restored') return testActivityOf(report, hold, facts);
  const { name, known, user, end } = facts;
  const { id: holdId, accountId, campaignId } = hold;
  const about = { userId: user.id, accountId, campaignId, holdId, actor: 'smartpause' } as const;
  switch (report) {
    case 'paused': {
      const pausedFor = hold.pausedFor ?? known;
      // The user may have changed it since the decision.
      const threshold = hold.pausedThreshold ?? user.threshold;
      const isKept = hold.beganAsTest && hold.pausedAt !== null;
      const message = (isKept ? testKeptText : pausedText)(name, pausedFor, threshold);
      return { ...about, type: 'pause', event: 'paused', message, reason: `${pausedFor} meets ${threshold}` };
    }
    case 'resumed': {
      const isLeaving = user.leaving !== null;
      const reason = isLeaving ? 'leaving' : `${known} is below ${user.threshold}`;
      const message = resumedText(name, known, isLeaving);
      return { ...about, type: 'resume', event: 'resumed', message, reason };
    }
    case 'restored': {
      const isPaused = writtenStatus(hold) === 'PAUSED';
      const message = restoredText(name, isPaused ? 'paused' : 'resumed');
      const reason = 'a lost write was carried out late';
      return { ...about, type: isPaused ? 'pause' : 'resume', event: 'taken_back', message, reason };
    }
    case 'refused': {
      const isPause = writtenStatus(hold) === 'PAUSED';
      const reason = isPause ? 'pause_refused' : 'resume_refused';
      const refusal = { ...about, type: 'other', reason } as const;
      if (hold.release === null)
        return { ...refusal, event: 'refused', message: refusedText(name, reason, hold.refusal) };
      const message = notRestoredText(name, isPause ? 'pause' : 'resume', hold.refusal);
      return { ...refusal, event: 'not_restored', message };
    }
    case 'released':
    case 'deactivated': {
      const released = end?.outcome === 'released' ? end : null;
      const reason = released?.reason ?? hold.release ?? 'smartpause_off';
      const message = releaseText(name, reason, released?.unconfirmedWrite ?? null);
      return { ...about, type: 'other', event: report, message, reason };
    }
  }
}
