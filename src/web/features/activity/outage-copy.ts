import type { HistoryEntry, OutageCampaign, OutageSummary } from '#contract/outage-api.ts';
import type { Campaign, UserStatus } from '#contract/shapes.ts';
import { clearNames } from '#core/clear-names.ts';
import { counted, durationLabel, figure } from '#core/labels.ts';
import { asSentence } from '#core/outages/activity-text.ts';
import { RESULT_LABELS } from '#core/outages/outage.ts';
import { RELEASE_LABELS, pausedOutside, whereOutside } from '#core/outages/release-labels.ts';
import { NOT_PAUSED_LABELS } from '#core/outages/reasons.ts';
import { atRest } from '#core/outages/why-not-paused.ts';
import type { Threshold } from '#core/smartpause/level.ts';
import type { Instant } from '#core/time.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { atOrOnTime, timeUntil } from '../../lib/times.ts';
import type { outlookOf } from '../campaigns/campaign-view.ts';
import { pausedBy } from '../campaigns/campaign-view.ts';
import { delayCopy, resumeAtOf, untilWordEnds, whenResumed } from '../campaigns/paused-copy.ts';

type OutageFacts = Pick<OutageSummary, 'counts' | 'reason' | 'lastPauseAfterMs' | 'endedAt'>;

/** '36 paused, all resumed; 6 kept running' */
export function outageHeadline(outage: Omit<OutageFacts, 'lastPauseAfterMs'>): string {
  const { counts } = outage;
  const { paused } = counts;
  const others = othersCopy(counts);
  return paused === 0 ? `${nothing(outage)}${others}` : `${figure(paused)} paused${endsOf(counts)}${others}`;
}

/** While it lasts, pauses may be on their way, unless a reason excludes all. */
function nothing({ endedAt, reason }: Pick<OutageFacts, 'endedAt' | 'reason'>): string {
  return endedAt === null && reason === null ? 'Nothing is paused yet' : 'Nothing was paused';
}

/** 'Paused within 14 s of detection.', or why nothing was paused; empty: not known. */
export function outageNote({
  counts: { paused },
  reason,
  lastPauseAfterMs,
}: Omit<OutageFacts, 'endedAt'>): string {
  if (paused === 0) return reason === null ? '' : asSentence(NOT_PAUSED_LABELS[reason]);
  return lastPauseAfterMs === null ? '' : `Paused within ${durationLabel(lastPauseAfterMs)} of detection.`;
}

/** '12 campaigns paused within 14 s of detection, all resumed; 6 kept running.' 'All resumed': by SmartPause. */
export function outageResult(outage: OutageFacts): string {
  const { counts, reason, lastPauseAfterMs } = outage;
  const { paused } = counts;
  if (paused === 0 && reason !== null) return `Nothing was paused: ${NOT_PAUSED_LABELS[reason]}.`;
  const others = othersCopy(counts);
  if (paused === 0) return `${nothing(outage)}${others}.`;
  const took = lastPauseAfterMs === null ? '' : ` within ${durationLabel(lastPauseAfterMs)} of detection`;
  return `${counted(paused, 'campaign')} paused${took}${endsOf(counts)}${others}.`;
}

/** '; 2 paused since an earlier outage; 6 kept running', '; 1 kept running: Meta refused' */
function othersCopy({ keptRunning, keptRefused = 0, heldBefore = 0 }: OutageSummary['counts']): string {
  const before = heldBefore === 0 ? '' : `; ${figure(heldBefore)} paused since an earlier outage`;
  if (keptRunning === 0) return before;
  const all =
    keptRefused === keptRunning ? ': Meta refused' : `, ${figure(keptRefused)} because Meta refused`;
  return `${before}; ${figure(keptRunning)} kept running${keptRefused === 0 ? '' : all}`;
}

/** ', all resumed', ', 2 resumed, 1 still paused' */
function endsOf({ paused, ...counts }: OutageSummary['counts']): string {
  const ends: [count: number, words: string][] = [
    [counts.resumed, 'resumed'],
    [counts.resumedByUser, 'resumed by you'],
    [counts.resumedOutside, 'resumed outside SmartPause'],
    [counts.beingChecked, 'running again, being checked'],
    [counts.stillPaused, 'still paused'],
    [counts.keptPaused, 'kept paused'],
    [counts.notResumed, 'not resumed'],
  ];
  const told = ends.filter(([count]) => count > 0);
  const [only] = told;
  if (paused === 1 && only !== undefined)
    return ENDS_WITH_AND.test(only[1]) ? ` and ${only[1]}` : `, ${only[1]}`;
  if (only?.[0] === paused) return only[1] === 'not resumed' ? ', none resumed' : `, all ${only[1]}`;
  return told.map(([count, words]) => `, ${figure(count)} ${words}`).join('');
}

const ENDS_WITH_AND = /^(resumed|still)/;

/** With the id where several campaigns of an ad account have the same name. */
export function clearlyNamed(campaigns: readonly OutageCampaign[]): OutageCampaign[] {
  const named = (one: OutageCampaign) => ({ ...one, id: one.campaignId });
  const nameOf = clearNames(campaigns.map(named));
  return campaigns.map((one) => {
    const name = nameOf(named(one));
    // A row whose campaign is the same object does not render again.
    return name === one.name ? one : { ...one, name };
  });
}

export const RESULTS: Record<OutageCampaign['result'], { label: string; color: string }> = {
  paused: { label: RESULT_LABELS.paused, color: 'yellow' },
  being_checked: { label: RESULT_LABELS.being_checked, color: 'orange' },
  resumed: { label: RESULT_LABELS.resumed, color: 'green' },
  resumed_by_user: { label: RESULT_LABELS.resumed_by_user, color: 'green' },
  resumed_outside: { label: RESULT_LABELS.resumed_outside, color: 'blue' },
  kept_paused: { label: RESULT_LABELS.kept_paused, color: 'gray' },
  not_resumed: { label: RESULT_LABELS.not_resumed, color: 'orange' },
  not_paused: { label: RESULT_LABELS.not_paused, color: 'gray' },
  other: { label: 'Other', color: 'gray' },
};

type Ended = Pick<OutageCampaign, 'result' | 'reason' | 'outside'>;

/** As the filter calls it; 'Resumed in Ads Manager' where Meta names the tool; what a campaign did that was not paused. */
export function badgeOf({ result, reason, outside }: Ended): { label: string; color: string } {
  const { label, color } = RESULTS[result];
  if (result === 'resumed_outside') return { label: `Resumed ${whereOutside(outside ?? null)}`, color };
  if (result !== 'not_paused') return { label, color };
  const rest = reason === null || reason === 'not_recorded' ? 'Not paused' : atRest(reason);
  return rest === null ? { label: 'Kept running', color: 'orange' } : { label: rest, color };
}

/** 'It was already paused before the outage. …'; null: the times say it all. */
export function whyNot(campaign: Ended & Waiting): string | null {
  const parts = [...(waitingLabels(campaign) ?? reasonLabels(campaign)), campaign.detail ?? ''].filter(
    (part) => part !== '',
  );
  return parts.length === 0 ? null : parts.map(asSentence).join(' ');
}

type Waiting = Pick<OutageCampaign, 'detail'> & Partial<Pick<OutageCampaign, 'endedAt' | 'postponedUntil'>>;

/** Of a hold that goes on: why it is not paused, or not resumed. Null: nothing is known to keep it. */
function waitingLabels({
  result,
  reason,
  detail,
  endedAt,
  postponedUntil,
}: Ended & Waiting): string[] | null {
  if (postponedUntil !== undefined)
    return [
      `another tool has it off; it resumes ${atOrOnTime(Date.parse(postponedUntil), serverNow())} at the latest`,
    ];
  if (result === 'paused' && reason === null && detail !== null) return ['Meta refuses to resume it'];
  return reason === 'refused' && endedAt === null ? ['Meta refuses to pause it'] : null;
}

/** Some reasons have the same name for a pause that was not made and for a resume that was not. */
function reasonLabels({ result, reason, outside }: Ended): string[] {
  if (reason === null || result === 'resumed' || result === 'resumed_by_user') return [];
  if (reason === 'paused_outside') return [pausedOutside(outside ?? null)];
  if (result === 'resumed_outside') {
    const by = outside?.person == null ? '' : `by ${outside.person}`;
    return [by, reason === 'resumed_outside' ? 'SmartPause was disabled for it' : ''];
  }
  const labels: Partial<Record<typeof reason, string>> =
    result === 'not_paused' ? NOT_PAUSED_LABELS : RELEASE_LABELS;
  return [labels[reason] ?? ''];
}

export const KINDS: Record<HistoryEntry['kind'], { label: string; color: string }> = {
  ...RESULTS,
  paused: { label: 'Paused', color: 'yellow' },
  not_paused: { label: 'Not paused', color: 'gray' },
  outside: { label: 'Changed outside SmartPause', color: 'blue' },
  refused: { label: 'Refused by Meta', color: 'orange' },
  manual: { label: 'Manual', color: 'blue' },
  setting: { label: 'Setting', color: 'gray' },
  login: { label: 'Login', color: 'gray' },
  billing: { label: 'Billing', color: 'gray' },
  access: { label: 'Access to Meta', color: 'orange' },
  other: { label: 'Other', color: 'gray' },
};

const ACTORS: Record<Exclude<HistoryEntry['actor'], 'user' | null>, string> = {
  smartpause: 'SmartPause',
  meta: 'Meta',
  stripe: 'Stripe',
  operator: 'The SmartPause team',
};

/** What others did outside SmartPause. */
const NOTICED: readonly HistoryEntry['kind'][] = ['being_checked', 'resumed_outside', 'outside'];

/** 'By SmartPause', 'Noticed by SmartPause'. A user's name is shown only to themselves. */
export function byCopy({ kind, actor, user }: Pick<HistoryEntry, 'kind' | 'actor' | 'user'>): string {
  if (actor === null) return 'Reload to see by whom';
  // SmartPause carries it out.
  if (kind === 'resumed_by_user') return 'By you';
  const who = actor === 'user' ? (user === null ? 'another user' : 'you') : ACTORS[actor];
  return `${NOTICED.includes(kind) ? 'Noticed by' : 'By'} ${who}`;
}

/** What SmartPause did with one campaign, in order, those of the pause with the delay since the detection. */
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
    const isOfPause = at !== null && detected !== null && !label.startsWith('Resume');
    return { label, at, delay: isOfPause ? `+${durationLabel(at - detected)}` : null };
  });
  return [{ label: 'Detected', at: detected, delay: null }, ...later];
}

const UNTOUCHED = {
  'Keeps spending': 'Running, and not protected: an outage doesn’t pause it.',
  'Stays paused': 'Paused, but not by SmartPause, so it stays paused.',
  'Not delivering': 'Not protected. Meta delivers nothing in this ad account.',
};

/** Of a campaign that SmartPause has not paused: what an outage does with it. @param threshold null: not known */
export function untouchedCopy(
  outlook: NonNullable<ReturnType<typeof outlookOf>>,
  threshold: Threshold | null,
): string {
  if (outlook !== 'Pauses') return UNTOUCHED[outlook];
  const orWorse = threshold === 'HIGH' ? '' : ' or worse';
  return `Running. ${threshold === null ? 'An outage' : `A ${threshold.toLowerCase()} disruption${orWorse}`} pauses it.`;
}

/** When a campaign that SmartPause keeps paused in this ad account resumes, and what delays that: another one's delay is not its own. */
export function heldCopy(
  user: UserStatus,
  adAccountId: string,
  now: Instant,
  campaign: Pick<Campaign, 'postponedUntil' | 'isPausedAll' | 'isPausedEarly'> = {},
): string {
  const { postponedUntil, isPausedAll, isPausedEarly } = campaign;
  const paused = `Paused ${pausedBy(campaign)}.`;
  if (postponedUntil !== undefined) {
    const until = Date.parse(postponedUntil);
    return `${paused} Another tool has it off; it resumes ${atOrOnTime(until, now)} at the latest, ${timeUntil(until, now)}.`;
  }
  const { resumeSettings, heldAccounts = [] } = user;
  const at = resumeAtOf(user, adAccountId);
  const end = isPausedEarly === true ? 'it’s over' : 'the outage ends';
  const when =
    at === null
      ? isPausedAll === true && user.pausedAll !== undefined
        ? `It stays paused ${untilWordEnds(user.pausedAll, now)}.`
        : `It resumes ${whenResumed(resumeSettings)} ${end}.`
      : at <= now
        ? 'SmartPause is resuming it.'
        : `It resumes ${atOrOnTime(at, now)}, ${timeUntil(at, now)}.`;
  const account = heldAccounts.find(({ id }) => id === adAccountId);
  const isOwn = account?.delayedBy !== 'refused' && account?.delayedBy !== 'other_tool';
  const delays = account !== undefined && isOwn ? delayCopy([{ ...account, postponed: undefined }], now) : [];
  // What delays it, else the time.
  const isLate = at !== null && at <= now && delays.length > 0;
  return [paused, ...(isLate ? [] : [when]), ...delays].join(' ');
}
