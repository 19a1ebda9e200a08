import type { Campaign, UserStatus } from '#contract/shapes.ts';
import { LEGACY_CAMPAIGN_WORDS, counted, figure, resumeCopy } from '#core/labels.ts';
import { isDelivered } from '../../../text/campaign-view.ts';
import type { BulkAction } from './actions.ts';
import { isManual } from './actions.ts';
import { byReason, failedResumeCopy } from '../resume-now/failed-copy.ts';
import type { BulkRun } from './state.ts';
import type { Effect } from './targets.ts';

interface ActionCopy {
  /** The title of the question, and its button. */
  ask: (campaigns: string) => string;
  confirm: (campaigns: string) => string;
  /** 'Pausing 3 of 10…', 'Stopping: paused 3 of 10…'. */
  doing: string;
  did: string;
  /** 'Paused 3 campaigns.' */
  done: string;
  /** '2 were paused already.' */
  already: string;
  /** What a progress bar shows. */
  label: string;
}

export const ACTION_COPY: Record<BulkAction, ActionCopy> = {
  on: smartPauseCopy('on'),
  off: smartPauseCopy('off'),
  pause: manualCopy({ verb: 'Pause', doing: 'Pausing', done: 'Paused', already: 'paused' }),
  resume: manualCopy({ verb: 'Resume', doing: 'Resuming', done: 'Resumed', already: 'active' }),
};

function smartPauseCopy(to: 'on' | 'off'): ActionCopy {
  return {
    ask: (campaigns) => `Turn SmartPause ${to} for ${campaigns}?`,
    confirm: (campaigns) => `Turn ${to} for ${campaigns}`,
    doing: `Turning ${to}`,
    did: `turned ${to}`,
    done: `SmartPause turned ${to} for`,
    already: `${to} already`,
    label: `Turning SmartPause ${to}`,
  };
}

function manualCopy({ verb, doing, done, already }: Record<'verb' | 'doing' | 'done' | 'already', string>) {
  return {
    ask: (campaigns: string) => `${verb} ${campaigns}?`,
    confirm: (campaigns: string) => `${verb} ${campaigns}`,
    doing,
    did: done.toLowerCase(),
    done,
    already: `${already} already`,
    label: `${doing} campaigns`,
  };
}

export interface Consequence {
  action: BulkAction;
  targets: readonly Campaign[];
  /** The status meets the user's threshold now. */
  isMatched: boolean;
  /** How many of them SmartPause has paused. */
  held: number;
  /** Why they cannot be resumed now; null: they can. */
  delay: string | null;
  user: UserStatus | undefined;
}

/** The effects of the change, one sentence each. */
export function consequenceCopy(given: Consequence): string[] {
  const them = given.targets.length === 1 ? 'it' : 'them';
  switch (given.action) {
    case 'on':
      return [turnOnCopy(given)];
    case 'off':
      return turnOffCopy(given);
    case 'pause':
      return [`${them === 'it' ? 'It stays' : 'They stay'} paused until you resume ${them}.`];
    case 'resume':
      if (!given.isMatched) return [];
      return [`Meta’s status meets your threshold right now, and SmartPause is off for ${them}.`];
  }
}

function turnOnCopy({ targets, isMatched, user }: Consequence): string {
  const resumed = user === undefined ? '' : ` ${resumeCopy(user.resumeSettings)}`;
  if (!isMatched)
    return `When a disruption meets your threshold, the running ones are paused. When it ends, they are resumed${resumed}.`;
  const running = targets.filter(isDelivered).length;
  if (running === 0)
    return 'Meta’s status meets your threshold right now. None of them is running, so nothing is paused.';
  return `The disruption meets your threshold right now: ${running === 1 ? 'the running one is' : `the ${figure(running)} running ones are`} paused immediately. When it ends, ${running === 1 ? 'it is' : 'they are'} resumed${resumed}.`;
}

function turnOffCopy({ held, delay }: Consequence): string[] {
  const freed =
    'SmartPause no longer pauses them in a disruption. You can pause and resume them manually again.';
  if (held === 0) return [freed];
  const [are, them, stay] = held === 1 ? ['is', 'it', 'it stays'] : ['are', 'them', 'they stay'];
  const paused = `${figure(held)} of them ${are} paused by SmartPause right now.`;
  if (delay !== null)
    return [freed, `${paused} ${delay} With SmartPause off, ${stay} paused until you resume ${them}.`];
  return [freed, `${paused} Resume ${them} now, or keep ${them} paused until you resume ${them}.`];
}

/** The campaigns that are selected and not changed, one sentence for each reason. */
export function skippedCopy(
  action: BulkAction,
  skipped: Record<Exclude<Effect, 'change'>, number>,
): string[] {
  const { unchanged, smartpause_on: isOn, not_allowed: notAllowed, ended } = skipped;
  const are = (count: number) => `${figure(count)} more ${count === 1 ? 'is' : 'are'}`;
  const { already } = ACTION_COPY[action];
  return [
    unchanged === 0
      ? ''
      : isManual(action)
        ? `${are(unchanged)} ${already}.`
        : `${are(unchanged)} selected, where SmartPause is ${already}.`,
    isOn === 0
      ? ''
      : `${are(isOn)} skipped, because SmartPause is on. Turn it off to ${action} ${isOn === 1 ? 'it' : 'them'} manually.`,
    notAllowed === 0 ? '' : `${are(notAllowed)} skipped. ${LEGACY_CAMPAIGN_WORDS}`,
    ended === 0
      ? ''
      : `${are(ended)} skipped: ${ended === 1 ? 'it has' : 'they have'} ended or ${ended === 1 ? 'was' : 'were'} archived.`,
  ].filter((sentence) => sentence !== '');
}

/** The outcome in one line. */
export function outcomeLabel({ action, targets, done }: BulkRun): string {
  const said = ACTION_COPY[action].done;
  if (done === targets.length) return `${said} ${counted(done, 'campaign')}.`;
  return `${said} ${figure(done)} of ${counted(targets.length, 'campaign')}.`;
}

/** Turning on during a disruption that meets the threshold pauses; '': nothing to pause. */
export function pausingCopy(
  { action, changed }: Pick<BulkRun, 'action' | 'changed'>,
  isMatched: boolean,
): string {
  const running = changed.filter(isDelivered).length;
  if (action !== 'on' || !isMatched || running === 0) return '';
  return running === 1
    ? 'SmartPause pauses the one that was running.'
    : `SmartPause pauses the ${figure(running)} that were running.`;
}

/** What did not go as asked, with the server's reasons: '3 failed: Hats, Shoes and Coats. …'. */
export function leftCopy(run: BulkRun): string {
  const { action, failed, left, already, obstacle } = run;
  const untried = left.length - failed.length;
  const were = (count: number) => `${figure(count)} ${count === 1 ? 'was' : 'were'}`;
  const sentences = [
    ...failedResumeCopy(run),
    ...byReason(failed).flatMap(({ names, count, reason }) => [`${figure(count)} failed: ${names}.`, reason]),
    untried > 0 ? `${were(untried)} left as ${untried === 1 ? 'it is' : 'they are'}.` : '',
    obstacle ?? '',
    already > 0 ? `${were(already)} ${ACTION_COPY[action].already}.` : '',
  ];
  // The same reason may apply to several.
  return [...new Set(sentences)].filter((sentence) => sentence !== '').join(' ');
}
