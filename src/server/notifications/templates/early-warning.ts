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
  pause:
    'If many ad accounts deliver far less than usual as well, SmartPause pauses your campaigns and tells you.',
  notify:
    'SmartPause pauses nothing for it: you chose to be notified only. “Pause all now” on the dashboard pauses what you protect.',
  official: 'SmartPause pauses nothing for it: you chose the official status only.',
};

const PAUSES = 'SmartPause pauses your campaigns for it, as you chose, and tells you.';

/** An early warning begins, or is over. Null: it was over before it was said. Of several the last one that is still news. */
export function earlyWarning(facts: Facts): Notification | null {
  const events = facts.acts.flatMap(({ happened: one }) =>
    one.event === 'early_warning' || one.event === 'early_warning_over' ? [one] : [],
  );
  const isUnsaid = ({ facts: { since } }: (typeof events)[number]): boolean =>
    events.filter((one) => one.facts.since === since).length > 1;
  const last = events.findLast((one) => !isUnsaid(one));
  if (last === undefined) return null;
  if (last.event === 'early_warning_over') return overCopy(facts, last.facts);
  const { since, evidence, pauses } = last.facts;
  const { earlyWarning: choice } = facts.user;
  return {
    subject: `Early warning: an outage of Meta is suspected since ${clockTime(since)} (${utcTime(since)})`,
    why: WHY,
    blocks: [NOT_META, evidence, pauses && choice === 'pause' ? PAUSES : WILL[choice], openDashboard(facts)],
  };
}

const ENDED = 'SmartPause’s team has ended it: early warnings are only recorded for now.';
const REPORTED = 'Meta’s status page reported the outage as well.';
const NOT_REPORTED = 'Meta’s status page reported no outage that met your threshold.';

function overCopy(
  facts: Facts,
  {
    since,
    isReported,
    isEnded = false,
  }: { since: Instant; isReported: boolean; isEnded?: boolean | undefined },
): Notification {
  const own = facts.held.filter(({ by }) => by === 'early_warning');
  const lasted = durationLabel(minutes(Math.max(1, Math.round((facts.now - since) / minutes(1)))));
  const resume = { threshold: facts.threshold, campaigns: own, isEarly: true };
  return {
    subject: 'The early warning is over',
    why: WHY,
    ends: 'early_warning',
    blocks: [
      `The early warning began ${lasted} ago. ${isEnded ? ENDED : `SmartPause no longer sees it. ${isReported ? REPORTED : NOT_REPORTED}`}`,
      own.length > 0 ? `${resumeCopyOf(facts, resume, itOrThem(own.length))}, and we’ll tell you.` : null,
      openDashboard(facts),
    ],
  };
}
