import { counted } from '../labels.ts';
import { fullTimeWithUtc } from '../new-york.ts';
import { CAMPAIGNS } from './activity-text.ts';
import type { EndReason, PauseEnd } from './release-labels.ts';
import {
  RELEASE_LABELS,
  TEST_RELEASE_LABELS,
  endLabel,
  pausedOutside,
  resultOfEnd,
  resumedOutside,
} from './release-labels.ts';

const campaigns = (count: number): string => counted(count, 'campaign');

/** The lists of an email about resumes, in their order. The subject says the first one in full. */
export const EMAIL_LISTS = {
  Resumed: (count: number) => `SmartPause resumed ${campaigns(count)}`,
  'Resumed by you': (count: number) => `You resumed ${campaigns(count)}`,
  'Resumed by another user': (count: number) => `Another user resumed ${campaigns(count)}`,
  'Not resumed': (count: number) => `SmartPause did not resume ${campaigns(count)}`,
  'Not resumed yet': (count: number) => `Meta refused to resume ${campaigns(count)}`,
  'Not paused again': (count: number) => `SmartPause could not pause ${campaigns(count)} again`,
  'Already running': (count: number) => `SmartPause did not need to resume ${campaigns(count)}`,
  'To be resumed later': (count: number) => `SmartPause resumes ${campaigns(count)} later`,
  'Kept paused': (count: number) => `${campaigns(count)} ${count === 1 ? 'stays' : 'stay'} paused`,
};
export type EmailList = keyof typeof EMAIL_LISTS;

/** An email tells a resume by SmartPause from one by others. */
export function emailListOf(reason: EndReason): EmailList {
  if (reason === 'resumed_by_other') return 'Resumed by another user';
  if (reason === 'not_needed') return 'Already running';
  const lists = {
    resumed_by_user: 'Resumed by you',
    resumed_outside: 'Already running',
    kept_paused: 'Kept paused',
    not_resumed: 'Not resumed',
  } as const;
  return lists[resultOfEnd(reason)];
}

const DID: Partial<Record<EndReason, string>> = {
  pause_refused: 'Could not pause',
  not_needed: 'Did not pause',
  resumed_now: 'Resumed',
};

const AFTER_RESUME: Partial<Record<EndReason, string>> = {
  already_active: 'SmartPause did not need to',
  resumed_by_schedule: 'as on other days; SmartPause stays on for it',
  resumed_by_other: 'SmartPause stays on for it',
};

type Words = readonly [message: string, detail: string | null];

/** In the activity log. @param how.isDisabled SmartPause was turned off for the campaign */
export function endWords(end: PauseEnd, { isTest = false, isDisabled = false } = {}): Words {
  const [did, why] = outsideWords(end, isDisabled) ?? ownWords(end, isTest);
  return [isTest ? `Test: ${did}` : did, why];
}

function ownWords(end: PauseEnd, isTest: boolean): Words {
  const isAsked = end.reason === 'resumed_now' || end.reason === 'resumed_by_other';
  const did = isAsked && !end.wasPaused ? 'Did not pause' : (DID[end.reason] ?? 'Did not resume');
  const label = endLabel(end, isTest ? TEST_RELEASE_LABELS : RELEASE_LABELS);
  return [`${isTest ? did.toLowerCase() : did} ${CAMPAIGNS}`, label];
}

/** Someone else's change, as Meta's log names it; null: there was none. */
function outsideWords({ reason, outside, wasPaused }: PauseEnd, isDisabled: boolean): Words | null {
  const on = outside === null ? '' : ` on ${fullTimeWithUtc(outside.at)}`;
  if (reason === 'paused_outside') return [`Did not resume ${CAMPAIGNS}`, pausedOutside(outside, on)];
  if (resultOfEnd(reason) !== 'resumed_outside') return null;
  if (reason === 'resumed_by_other' && !wasPaused) return null;
  const detail = isDisabled ? 'SmartPause is now disabled for it' : (AFTER_RESUME[reason] ?? null);
  const isToCome = reason === 'resumed_by_other' && outside === null;
  if (isToCome) return [`Another user of SmartPause resumes ${CAMPAIGNS}`, detail];
  return [`${resumedOutside(outside)}${on}`, detail];
}

interface Refused {
  act: 'pause' | 'resume';
  refusal: string | null;
}

/** A late copy of the opposite had undone an external change. */
export const lateAct = { pause: 'resume', resume: 'pause' } as const;
export const lateDetail = ({ act: undone, refusal }: Refused) =>
  `Meta applied our earlier ${lateAct[undone]} late ${refusal === null ? 'and it could not be undone' : `and refused to undo it: ${refusal}`}`;
export const postponedDetail = ({ until }: { until: number | null }) =>
  `another tool has it off at this time, as on other days; SmartPause resumes it${until === null ? '' : ` on ${fullTimeWithUtc(until)}`} at the latest`;
