import type { OutageCampaign, OutageSummary } from '#contract/outage-api.ts';
import type { UserStatus } from '#contract/shapes.ts';
import { clearNames } from '#core/clear-names.ts';
import { counted, durationLabel, figure } from '#core/labels.ts';
import { asSentence } from '#core/smartpause/activity-text.ts';
import { RELEASE_LABELS, resultOfEnd } from '#core/smartpause/release-labels.ts';
import type { NotPausedReason } from '#core/smartpause/not-paused.ts';
import { NOT_PAUSED_LABELS } from '#core/smartpause/not-paused.ts';
import type { Instant } from '#core/time.ts';
import { atOrOnTime, timeUntil } from '../../lib/times.ts';
import { delayCopy, whenResumed } from '../campaigns/outage-copy.ts';

/** For all campaigns alike; the other labels speak of the user or of the outage. */
const FOR_ALL: Partial<Record<NotPausedReason, string>> = {
  legacy_advantage: 'Meta does not allow changes to these campaigns through its API',
  ended: 'the end dates of all campaigns had passed',
  scheduled: 'no campaign had started yet',
  already_paused: 'all campaigns were already paused before the outage',
  paused_manually: 'all campaigns were paused manually',
  paused_in_ads_manager: 'all campaigns were paused in Ads Manager',
  held_by_other_user: 'another user of SmartPause had paused the campaigns',
  held_before: 'SmartPause had kept all campaigns paused since an earlier outage',
  smartpause_off: 'SmartPause was off for all campaigns',
  smartpause_deactivated: 'SmartPause was disabled for the campaigns after changes in Ads Manager',
};

type Told = Pick<OutageSummary, 'counts' | 'reason' | 'lastPauseAfterMs'>;

/** '12 campaigns paused within 14 s of detection, all resumed.' */
export function outageResult({ counts, reason, lastPauseAfterMs }: Told): string {
  const { paused, resumed, stillPaused, keptPaused, notResumed } = counts;
  if (paused === 0) {
    return reason === null
      ? 'Nothing was paused.'
      : `Nothing was paused: ${FOR_ALL[reason] ?? NOT_PAUSED_LABELS[reason]}.`;
  }
  const took = lastPauseAfterMs === null ? '' : ` within ${durationLabel(lastPauseAfterMs)} of detection`;
  const what = `${counted(paused, 'campaign')} paused${took}`;
  if (resumed === paused) return `${what}${paused === 1 ? ' and resumed' : ', all resumed'}.`;
  if (stillPaused === paused) return `${what}${paused === 1 ? ' and still paused' : ', all still paused'}.`;
  const rest = [
    resumed > 0 ? `${figure(resumed)} resumed` : '',
    stillPaused > 0 ? `${figure(stillPaused)} still paused` : '',
    keptPaused > 0 ? (paused === 1 ? 'kept paused' : `${figure(keptPaused)} kept paused`) : '',
    notResumed > 0 ? (paused === 1 ? 'not resumed' : `${figure(notResumed)} not resumed`) : '',
  ];
  return `${[what, ...rest.filter((part) => part !== '')].join(', ')}.`;
}

/** With the id where several campaigns of an ad account have the same name. */
export function clearlyNamed(campaigns: readonly OutageCampaign[]): OutageCampaign[] {
  const named = (one: OutageCampaign) => ({ ...one, id: one.campaignId });
  const nameOf = clearNames(campaigns.map(named));
  return campaigns.map((one) => ({ ...one, name: nameOf(named(one)) }));
}

export const RESULTS: Record<OutageCampaign['result'], { label: string; color: string }> = {
  paused: { label: 'Still paused', color: 'yellow' },
  resumed: { label: 'Resumed', color: 'green' },
  kept_paused: { label: 'Kept paused', color: 'gray' },
  not_resumed: { label: 'Not resumed', color: 'orange' },
  not_paused: { label: 'Not paused', color: 'gray' },
};

/** As the filter calls it. SmartPause does not know who resumed a campaign outside it. */
export function resultLabel({ result, reason }: Pick<OutageCampaign, 'result' | 'reason'>): string {
  const { label } = RESULTS[result];
  const isByUser = result === 'resumed' && reason !== null && resultOfEnd(reason) !== 'resumed';
  return isByUser ? `${label} by you` : label;
}

/** 'It was already paused before the outage. …'; null: the times say it all. */
export function whyNot(campaign: Pick<OutageCampaign, 'result' | 'reason' | 'detail'>): string | null {
  const parts = [reasonLabel(campaign), campaign.detail ?? ''].filter((part) => part !== '');
  return parts.length === 0 ? null : parts.map(asSentence).join(' ');
}

/** Some reasons have the same name for a pause that was not made and for a resume that was not. */
function reasonLabel({ result, reason }: Pick<OutageCampaign, 'result' | 'reason'>): string {
  if (reason === null || (result === 'resumed' && resultOfEnd(reason) !== 'resumed')) return '';
  const labels: Partial<Record<typeof reason, string>> =
    result === 'not_paused' ? NOT_PAUSED_LABELS : RELEASE_LABELS;
  return labels[reason] ?? '';
}

/** What SmartPause did with one campaign, in order, each with the delay since the detection. */
export function stepsOf(campaign: OutageCampaign, matchedAt: string | null) {
  const { decidedAt, sentAt, pausedAt, resumeSentAt, resumedAt } = campaign;
  const steps = {
    Decided: decidedAt,
    'Pause sent': sentAt,
    Paused: pausedAt,
    'Resume sent': resumeSentAt,
    Resumed: resumedAt,
  };
  const detected = matchedAt === null ? null : Date.parse(matchedAt);
  const later = Object.entries(steps).map(([label, time]) => {
    const at = time === null ? null : Date.parse(time);
    return { label, at, delay: at === null || detected === null ? null : `+${durationLabel(at - detected)}` };
  });
  return [{ label: 'Detected', at: detected, delay: null }, ...later];
}

/** When a campaign that SmartPause keeps paused in this ad account resumes, and what delays that. */
export function heldCopy(
  { resumeAt, resumeSettings, heldAccounts = [] }: UserStatus,
  adAccountId: string,
  now: Instant,
): string {
  const at = resumeAt === null ? null : Date.parse(resumeAt);
  const when =
    at === null
      ? `${whenResumed(resumeSettings)} the outage ends`
      : `${atOrOnTime(at, now)}, ${timeUntil(at, now)}`;
  const delays = delayCopy(heldAccounts.filter(({ id }) => id === adAccountId));
  return [`Paused by SmartPause. It resumes ${when}.`, ...delays].join(' ');
}
