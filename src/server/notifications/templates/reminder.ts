import { durationLabel } from '#core/labels.ts';
import { fullTimeWithUtc } from '#core/new-york.ts';
import { REMINDER_MS, longUnknownSince } from '#core/notifications.ts';
import { meetsThreshold } from '#core/smartpause/level.ts';
import { earliest, hours } from '#core/time.ts';
import type { HeldCampaign } from '../../db/reports/notified-activities.ts';
import type { Facts } from '../facts.ts';
import type { Block, Notification } from '../render.ts';
import * as copy from './campaigns.ts';
import { isChangeable, obstacleCopy, resumeNowCopy } from './obstacles.ts';
import { outageCopy } from './outage.ts';
import { wordCopy } from './pause-all.ts';
import { resumeCopyOf } from './resume-copy.ts';
import { retriedCopy } from './refusals.ts';
import { byAccount, campaigns, itOrThem } from './lists.ts';

/** Null: nothing has been paused for so long any more. */
export function reminder(facts: Facts): Notification | null {
  const { held, now } = facts;
  const since = earliest(held.map(({ at }) => at)) ?? now;
  if (now - since < REMINDER_MS) return null;
  const wholeHours = durationLabel(Math.floor((now - since) / hours(1)) * hours(1));
  return {
    subject: `Still paused: ${campaigns(held.length)} for ${wholeHours}`,
    page: copy.activityPage(facts),
    blocks: [
      `SmartPause paused ${held.length === 1 ? 'it' : 'the first of them'} on ${fullTimeWithUtc(since)}.`,
      ...whyPaused(facts),
      ...outageCopy(facts),
      ...byAccount('Still paused', held, { day: since }),
      resumeNowCopy(
        facts,
        held.filter((one) => isChangeable(facts)(one) && !one.isResuming),
      ),
      copy.openDashboard(facts),
      copy.seeActivity(facts),
    ],
  };
}

/** Why each of the campaigns is not resumed yet, and when it is. */
function whyPaused(facts: Facts): (Block | null)[] {
  const { held, status, now, word } = facts;
  const changeable = held.filter(isChangeable(facts));
  const refused = changeable.filter(({ refusal }) => refusal !== null);
  const resuming = changeable.filter((one) => one.isResuming && one.refusal === null);
  const others = changeable.filter((one) => !one.isResuming);
  const later = others.filter((one) => one.postponedUntil !== null);
  const [said, waiting] = [true, false].map((isSaid) =>
    others.filter((one) => one.postponedUntil === null && (word !== null && one.by === 'user') === isSaid),
  ) as [HeldCampaign[], HeldCampaign[]];
  const them = (some: readonly HeldCampaign[]) =>
    some.length === held.length ? itOrThem(some.length) : campaigns(some.length);
  const isMatched = waiting.some(({ threshold }) => meetsThreshold(status.known, threshold));
  const unknown = longUnknownSince(status, { startedAt: 0, staleMs: hours(1) }, now);
  const [words = null, ...more] = new Set(refused.map(({ refusal }) => refusal));
  const who = `Meta refused to resume ${them(refused)}. `;
  return [
    ...(isMatched ? [waiting.every(({ by }) => by === 'early_warning') ? EARLY : whyMatched(unknown)] : []),
    ...[...Map.groupBy(waiting, ({ threshold }) => threshold)].map(
      ([threshold, own]) =>
        `${resumeCopyOf(facts, { threshold, campaigns: own, isEarly: own.every(({ by }) => by === 'early_warning') }, them(own))}, and we’ll tell you.`,
    ),
    ...(refused.length > 0
      ? retriedCopy(facts, refused.length, { who, words: more.length === 0 ? words : null })
      : []),
    word !== null && said.length > 0 ? wordCopy(word, said.length) : null,
    later.length > 0
      ? `Another tool has ${them(later)} off at this time. SmartPause resumes ${itOrThem(later.length)} on ${fullTimeWithUtc(Math.max(...later.map((one) => one.postponedUntil ?? 0)))} at the latest.`
      : null,
    resuming.length > 0 ? `SmartPause is resuming ${them(resuming)} now.` : null,
    ...obstacleCopy(facts, held),
  ];
}

const EARLY = 'The early warning goes on, and you let it pause your campaigns.';

function whyMatched(unknownSince: number | null): string {
  return unknownSince === null
    ? 'The outage goes on, and your threshold is met.'
    : `The last known disruption met your threshold. We haven’t been able to read Meta’s status page since ${fullTimeWithUtc(unknownSince)}.`;
}
