import { capitalized, counted, resumeCopy } from '../labels.ts';
import type { EarlyWarningChoice, ResumeSettings } from '../settings.ts';
import { isSameResume } from '../settings.ts';
import type { Threshold } from '../smartpause/level.ts';

/** Stands in an activity's message for its campaigns. */
export const CAMPAIGNS = '{campaigns}';

/** Stands in a message for the name of the user who reads it. */
export const READER = '{user}';
const TO_READER: [RegExp | string, string][] = [
  [/^\{user\}’s/, 'Your'],
  [/^\{user\} was/, 'You were'],
  [/^\{user\} has/, 'You have'],
  [/^\{user\}/, 'You'],
  [`of ${READER}`, 'of yours'],
  [READER, 'you'],
  ['themselves', 'yourself'],
  ['their own', 'your own'],
];

/** '{user} was given the role developers' becomes 'You were given the role developers'. */
export function toReader(message: string): string {
  return TO_READER.reduce((text, [words, own]) => text.replace(words, own), message);
}

/** After a refusal that may pass. */
export const RETRY_WORDS = 'SmartPause tries again after 1 minute, after 10 minutes, and then every hour';

const NO_REASON = 'without a reason';

/** Of a refused change that is tried again. */
export function retryWords(
  { act, refusal }: { act: 'pause' | 'resume'; refusal: string | null },
  prefix = '',
): [message: string, detail: string] {
  return [`${prefix}Meta refused to ${act} ${CAMPAIGNS}`, `${refusal ?? NO_REASON}. ${RETRY_WORDS}`];
}

export function refusedChange(refusal: string | null): string {
  return `Meta refused the change: ${refusal ?? NO_REASON}`;
}

interface SavedSettings {
  threshold: Threshold;
  resumeSettings: ResumeSettings;
  email: string | null;
  onForNewCampaigns: boolean;
  hasMonthlySummary: boolean;
  earlyWarning: EarlyWarningChoice;
}

const CHOICE_WORDS: Record<EarlyWarningChoice, string> = {
  official: 'official status only',
  pause: 'early warnings pause as well',
  notify: 'early warnings notify only',
};

const onOff = (isOn: boolean): string => (isOn ? 'on' : 'off');

/** Names each changed setting with its old and its new value, but no email address. */
export function settingsChanges(before: SavedSettings, after: SavedSettings): string[] {
  const switched = (what: string, name: 'onForNewCampaigns' | 'hasMonthlySummary') =>
    before[name] !== after[name] && `${what} ${onOff(after[name])} (was ${onOff(before[name])})`;
  const changes = [
    before.threshold !== after.threshold &&
      `threshold ${after.threshold.toLowerCase()} (was ${before.threshold.toLowerCase()})`,
    !isSameResume(before.resumeSettings, after.resumeSettings) &&
      `resume ${resumeCopy(after.resumeSettings)} (was ${resumeCopy(before.resumeSettings)})`,
    switched('SmartPause for new campaigns', 'onForNewCampaigns'),
    switched('monthly summary by email', 'hasMonthlySummary'),
    before.earlyWarning !== after.earlyWarning &&
      `${CHOICE_WORDS[after.earlyWarning]} (was ${CHOICE_WORDS[before.earlyWarning]})`,
    before.email !== after.email && 'new email address',
  ];
  return changes.filter((change) => change !== false);
}

/** Instead of these, where the user keeps the address that they had. */
export const EMAIL_KEPT = 'change of the email address canceled';

/** What an activity says: what was done, and why. */
export interface ActivityWords {
  /** 'Paused {campaigns}' */
  message: string;
  /** 'high disruptions, your threshold is medium'; null: the message says it all. */
  detail: string | null;
}

/** 'Paused "Shoes": high disruptions, your threshold is medium.' */
export function activityText({ message, detail }: ActivityWords, campaign: string): string {
  const did = message.replace(CAMPAIGNS, () => campaign);
  return asSentence(detail === null ? did : `${did}: ${detail}`);
}

export function asSentence(text: string): string {
  const sentence = capitalized(text);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Activities that differ only in their campaigns. */
export interface ActivityGroup extends ActivityWords {
  /** All of its campaigns have the detail. */
  sharesDetail: boolean;
  account: string | null;
  /** How many campaigns they are about. */
  count: number;
  /** The first names of these. */
  names: readonly string[];
}

/** How many campaigns the text of a group names. */
export const NAMED_AT_MOST = 3;

/** 'Paused 12 campaigns in Lind Outdoor (“A”, “B”, “C” and 9 more): high disruptions, your threshold is medium.' */
export function groupText(group: ActivityGroup): string {
  const { message, detail, sharesDetail, account, count, names } = group;
  // A campaign that was renamed has two names.
  const quoted = names.slice(0, Math.min(count, NAMED_AT_MOST)).map((name) => `“${name}”`);
  const place = account === null ? '' : ` in ${account}`;
  if (count <= 1) return activityText({ message, detail }, `${quoted[0] ?? ''}${place}`);
  const more = count > quoted.length ? ` and ${count - quoted.length} more` : '';
  const campaigns = `${counted(count, 'campaign')}${place} (${quoted.join(', ')}${more})`;
  // Other details speak of one campaign.
  return activityText({ message, detail: sharesDetail ? detail : null }, campaigns);
}
