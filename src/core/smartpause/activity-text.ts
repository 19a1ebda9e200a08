import type { ReleaseReason } from '../reconciler/hold.ts';
import type { KnownLevel, Threshold } from './level.ts';
import { DISRUPTION_WORDS, counted, resumeCopy } from '../labels.ts';
import type { ResumeSettings } from '../settings.ts';
import { isSameResume } from '../settings.ts';
import { RELEASE_LABELS, TEST_RELEASE_LABELS, withRefusal } from './release-labels.ts';

const NAMED_AT_MOST = 3;

/** Names only the level: it may come from Meta or from an admin override. */
export function pausedText(campaign: string, known: KnownLevel, threshold: Threshold): string {
  return `Paused "${campaign}": ${DISRUPTION_WORDS[known]}, your threshold is ${threshold.toLowerCase()}.`;
}

/** An outage began during a live test. */
export function testKeptText(campaign: string, known: KnownLevel, threshold: Threshold): string {
  return `Kept "${campaign}" paused after its test: ${DISRUPTION_WORDS[known]}, your threshold is ${threshold.toLowerCase()}.`;
}

export function testStartedText(user: string, campaign: string): string {
  return `Test: ${user} started a live test of "${campaign}".`;
}

export function testText(campaign: string, did: 'paused' | 'resumed'): string {
  return `Test: ${did} "${campaign}".`;
}

export function resumedText(campaign: string, known: KnownLevel, isLeaving: boolean): string {
  return `Resumed "${campaign}": ${isLeaving ? 'you are leaving SmartPause' : DISRUPTION_WORDS[known]}.`;
}

/** @param refusal Meta's own words; null: Meta did not refuse the change for good */
export function manualFailedText(
  campaign: string,
  act: 'pause' | 'resume',
  refusal: string | null = null,
): string {
  const why =
    refusal === null ? 'Meta did not confirm the change that you requested' : refusedChange(refusal);
  return `Could not ${act} "${campaign}": ${why}.`;
}

export function refusedChange(refusal: string): string {
  return `Meta refused the change: ${refusal}`;
}

/** @param refusal Meta's own words; null: not recorded */
export function refusedText(
  campaign: string,
  reason: 'pause_refused' | 'resume_refused',
  refusal: string | null,
): string {
  const did = reason === 'pause_refused' ? 'Could not pause' : 'Did not resume';
  return `${did} "${campaign}": ${withRefusal(RELEASE_LABELS[reason], reason, refusal)}.`;
}

/** An external change that a late write of ours undid stays undone. */
export function notRestoredText(campaign: string, act: 'pause' | 'resume', refusal: string | null): string {
  const late = act === 'pause' ? 'resume' : 'pause';
  const why = refusal === null ? '' : `: ${refusal}`;
  return `Could not ${act} "${campaign}" again: Meta applied our earlier ${late} late and refused to undo it${why}.`;
}

/** A late write of ours undid an external change, and SmartPause restored it. */
export function restoredText(campaign: string, did: 'paused' | 'resumed'): string {
  const [again, late] = did === 'paused' ? ['Paused', 'resume'] : ['Resumed', 'pause'];
  return `${again} "${campaign}" again: Meta applied our earlier ${late} only after it was ${did} manually.`;
}

export function releaseText(campaign: string, reason: ReleaseReason): string {
  return `Did not resume "${campaign}": ${RELEASE_LABELS[reason]}.`;
}

/** The pause was not wanted any more, and Meta had not carried it out. */
export function notNeededText(campaign: string): string {
  return `Did not pause "${campaign}": ${RELEASE_LABELS.not_needed}.`;
}

/** 'SmartPause was turned on for 2 new campaigns: "Spring", "Summer".' Names three at most. */
export function newCampaignsText(names: readonly string[]): string {
  const quoted = names.slice(0, NAMED_AT_MOST).map((name) => `"${name}"`);
  if (names.length === 1) return `SmartPause was turned on for the new campaign ${quoted.join('')}.`;
  const more = names.length > NAMED_AT_MOST ? ` and ${names.length - NAMED_AT_MOST} more` : '';
  return `SmartPause was turned on for ${names.length} new campaigns: ${quoted.join(', ')}${more}.`;
}

interface SavedSettings {
  threshold: Threshold;
  resumeSettings: ResumeSettings;
  email: string | null;
  onForNewCampaigns: boolean;
}

/** Names each changed setting with its old and its new value, but no email address. */
export function settingsText(before: SavedSettings, after: SavedSettings): string {
  const onOff = (settings: SavedSettings): string => (settings.onForNewCampaigns ? 'on' : 'off');
  const changes = [
    before.threshold !== after.threshold &&
      `threshold ${after.threshold.toLowerCase()} (was ${before.threshold.toLowerCase()})`,
    !isSameResume(before.resumeSettings, after.resumeSettings) &&
      `resume ${resumeCopy(after.resumeSettings)} (was ${resumeCopy(before.resumeSettings)})`,
    onOff(before) !== onOff(after) && `SmartPause for new campaigns ${onOff(after)} (was ${onOff(before)})`,
    before.email !== after.email && 'new email address',
  ].filter((change) => change !== false);
  return changes.length === 0
    ? 'SmartPause settings were saved without a change.'
    : `SmartPause settings were changed: ${changes.join(', ')}.`;
}

/** For the user who now owns the hold. */
export function transferredText(campaign: string, isTest: boolean): string {
  return `"${campaign}" is paused for ${isTest ? 'a live test' : 'the outage'}, and SmartPause resumes it for you.`;
}

/** For the user who owned the hold before. */
export function handedOverText(campaign: string): string {
  return `"${campaign}" stays paused for another user of the ad account, and SmartPause resumes it for them.`;
}

export function testReleaseText(
  campaign: string,
  reason: ReleaseReason,
  refusal: string | null = null,
): string {
  const did = reason === 'pause_refused' ? 'could not pause' : 'did not resume';
  const label = withRefusal(TEST_RELEASE_LABELS[reason], reason, refusal);
  return `Test: ${did} "${campaign}": ${label}.`;
}

export function testNotNeededText(campaign: string): string {
  return `Test: did not pause "${campaign}": ${TEST_RELEASE_LABELS.not_needed}.`;
}

export function manualText(user: string, campaign: string, did: 'paused' | 'resumed'): string {
  return `${user} ${did} "${campaign}".`;
}

/**
 * An activity's text where the campaign is named already: 'Paused this campaign.', 'High disruptions, your
 * threshold is medium.' A text of another form stays whole.
 * @param user the name that the text may begin with
 */
export function withoutCampaign(text: string, user: string): { message: string; reason: string | null } {
  const begin = text.startsWith(user) ? user : '';
  // Names may contain quotation marks.
  const parts = /^(?<rest>.*?)"(?<name>.*)"(?<after>[^"]*)$/s.exec(text.slice(begin.length))?.groups;
  if (parts === undefined) return { message: text, reason: null };
  const { rest = '', after = '' } = parts;
  const before = `${begin}${rest}`;
  const [, again = '', why] = /^(?<again> again)?: (?<why>.+)$/s.exec(after) ?? [];
  if (why === undefined) return { message: asSentence(`${before}this campaign${after}`), reason: null };
  return { message: asSentence(`${before}this campaign${again}.`), reason: asSentence(why) };
}

export function asSentence(text: string): string {
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Activities of one kind within a minute; `message` is that of the newest. */
export interface ActivityGroup {
  event: string;
  reason: string | null;
  message: string;
  account: string | null;
  campaigns: number;
}

/** 'Paused 12 campaigns in Lind Outdoor.' */
export function groupText({ event, reason, message, account, campaigns }: ActivityGroup): string {
  if (campaigns <= 1) return message;
  const did = GROUP_TEXTS[event === 'smartpause' ? `${event}_${reason ?? ''}` : event];
  const place = account === null ? '' : ` in ${account}`;
  if (did === undefined) return `${message} And ${counted(campaigns - 1, 'more campaign')}${place}.`;
  return `${did} ${counted(campaigns, 'campaign')}${place}.`;
}

const GROUP_TEXTS: Record<string, string> = {
  paused: 'Paused',
  resumed: 'Resumed',
  released: 'Did not resume',
  deactivated: 'SmartPause was turned off by a change in Ads Manager for',
  smartpause_ON: 'SmartPause was turned on for',
  smartpause_OFF: 'SmartPause was turned off for',
};
