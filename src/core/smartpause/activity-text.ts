import { byName } from '../campaign.ts';
import { counted, resumeCopy } from '../labels.ts';
import type { ResumeSettings } from '../settings.ts';
import { isSameResume } from '../settings.ts';
import type { Threshold } from './level.ts';

const NAMED_AT_MOST = 3;

export function refusedChange(refusal: string): string {
  return `Meta refused the change: ${refusal}`;
}

/** 'SmartPause was turned on for 2 new campaigns: "Spring", "Summer".' Names the first three at most. */
export function newCampaignsText(names: readonly string[]): string {
  const first = names.toSorted(byName).slice(0, NAMED_AT_MOST);
  const quoted = first.map((name) => `"${name}"`);
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
  const did = GROUP_TEXTS[`${event}_${reason ?? ''}`] ?? GROUP_TEXTS[event];
  const place = account === null ? '' : ` in ${account}`;
  if (did === undefined) return `${message} And ${counted(campaigns - 1, 'more campaign')}${place}.`;
  return `${did} ${counted(campaigns, 'campaign')}${place}.`;
}

const GROUP_TEXTS: Record<string, string> = {
  paused: 'Paused',
  resumed: 'Resumed',
  released: 'Did not resume',
  released_not_needed: 'Did not pause',
  released_already_active: 'Did not need to resume',
  deactivated: 'SmartPause was turned off by a change in Ads Manager for',
  smartpause_ON: 'SmartPause was turned on for',
  smartpause_OFF: 'SmartPause was turned off for',
};
