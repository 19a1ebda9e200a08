import { durationLabel } from '#core/labels.ts';
import { clockTime, utcTime } from '#core/new-york.ts';
import type { EarlyWarningChoice } from '#core/settings.ts';
import type { Instant } from '#core/time.ts';
import { minutes } from '#core/time.ts';
import type { Facts } from '../facts.ts';
import type { Notification } from '../render.ts';
import { NOT_META, openDashboard } from './campaigns.ts';
import { itOrThem } from './lists.ts';
import { resumeCopyOf } from './resume-copy.ts';

const WHY = 'You’re receiving this email because you chose early warnings in SmartPause’s settings.';

const WILL: Record<EarlyWarningChoice, string> = {
  pause: 'If many ad accounts deliver unusually as well, SmartPause pauses your campaigns and tells you.',
  notify:
    'SmartPause pauses nothing for it: you chose to be notified only. “Pause all now” on the dashboard pauses what you protect.',
  official: 'SmartPause pauses nothing for it: you chose the official status only.',
};

/** An early warning begins, or is over. Null: it was over before it was said. */
export function earlyWarning(facts: Facts): Notification | null {
  const events = facts.acts.map(({ happened }) => happened);
  const begun = events.findLast((one) => one.event === 'early_warning');
  const over = events.findLast((one) => one.event === 'early_warning_over');
  if (begun !== undefined && begun.facts.since === over?.facts.since) return null;
  if (over !== undefined) return overCopy(facts, over.facts);
  if (begun === undefined) return null;
  const { since, evidence } = begun.facts;
  return {
    subject: `Early warning: an outage of Meta is suspected since ${clockTime(since)} (${utcTime(since)})`,
    why: WHY,
    blocks: [NOT_META, evidence, WILL[facts.user.earlyWarning], openDashboard(facts)],
  };
}

function overCopy(
  facts: Facts,
  { since, isReported }: { since: Instant; isReported: boolean },
): Notification {
  const own = facts.held.filter(({ by }) => by === 'early_warning');
  const lasted = durationLabel(minutes(Math.max(1, Math.round((facts.now - since) / minutes(1)))));
  const resume = { threshold: facts.threshold, campaigns: own, isEarly: true };
  return {
    subject: 'The early warning is over',
    why: WHY,
    ends: 'early_warning',
    blocks: [
      isReported
        ? `Meta’s status page reports the outage itself now. The early warning began ${lasted} ago.`
        : `What SmartPause saw for ${lasted} has cleared. Meta’s status page never reported an outage.`,
      own.length > 0 ? `${resumeCopyOf(facts, resume, itOrThem(own.length))}, and we’ll tell you.` : null,
      openDashboard(facts),
    ],
  };
}
