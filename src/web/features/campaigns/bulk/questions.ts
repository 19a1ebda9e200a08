import type { UserStatus } from '#contract/shapes.ts';
import { LEVEL_WORDS, counted, figure, namesLabel } from '#core/labels.ts';
import type { Level } from '#core/smartpause/level.ts';
import { isDelivered } from '../campaign-view.ts';
import { whenResumed } from '../outage-copy.ts';
import type { Action, Target } from './actions.ts';
import type { Outcome } from './run.ts';

/** A question before a change with consequences. */
export interface Question {
  title: string;
  sentences: readonly string[];
  confirm: string;
  /** Turning off leaves campaigns paused: the choice to resume them at once. */
  resume?: string;
}

export interface Situation {
  level: Level;
  /** The level meets the user's threshold. */
  isMatched: boolean;
  /** The ids of the campaigns that SmartPause has paused. */
  held: ReadonlySet<string>;
  /** Why the held ones cannot be resumed now. */
  delay?: string | undefined;
  user: UserStatus | undefined;
}

/** Null: the change has no consequences now. */
export function questionBefore(
  action: Action,
  targets: readonly Target[],
  situation: Situation,
): Question | null {
  switch (action) {
    case 'on':
      return beforeOn(targets, situation);
    case 'off':
      return beforeOff(targets, situation);
    case 'pause':
      return {
        title: `Pause ${themLabel(targets)}?`,
        sentences: [
          `${targets.length === 1 ? 'It stays paused until you resume it' : 'They stay paused until you resume them'}.`,
        ],
        confirm: `Pause ${counted(targets.length, 'campaign')}`,
      };
    case 'resume':
      if (!situation.isMatched) return null;
      return {
        title: `Resume ${themLabel(targets)}?`,
        sentences: [
          `Meta’s status meets your threshold right now, and SmartPause is off for ${targets.length === 1 ? 'it' : 'them'}.`,
        ],
        confirm: `Resume ${counted(targets.length, 'campaign')}`,
      };
  }
}

function beforeOn(targets: readonly Target[], { isMatched, level, user }: Situation): Question | null {
  const running = targets.filter(({ campaign }) => isDelivered(campaign));
  if (!isMatched || running.length === 0) return null;
  const [first] = targets;
  const isOne = targets.length === 1;
  const who = isOne && first !== undefined ? quoted(first) : shareOf(running.length, targets.length);
  const [are, they] = running.length === 1 ? ['is', 'It resumes'] : ['are', 'They resume'];
  const outage = `Meta has a ${LEVEL_WORDS[level].toLowerCase()}`;
  return {
    title: isOne ? 'Turn on and pause now?' : `Turn on SmartPause for ${themLabel(targets)}?`,
    sentences: [
      `${outage}, so ${who} ${are} paused immediately.`,
      user === undefined ? '' : `${they} ${whenResumed(user.resumeSettings)} the outage ends.`,
    ].filter(Boolean),
    confirm: isOne ? 'Turn on and pause' : `Turn on and pause ${figure(running.length)}`,
  };
}

function shareOf(count: number, all: number): string {
  return count === all ? 'they' : `${figure(count)} of them`;
}

function beforeOff(targets: readonly Target[], { held, delay }: Situation): Question | null {
  const count = targets.filter(({ campaign }) => held.has(campaign.id)).length;
  if (count === 0) return null;
  const isOne = targets.length === 1;
  const paused = isOne
    ? 'SmartPause paused this campaign.'
    : `${figure(count)} ${count === 1 ? 'is' : 'are'} paused by SmartPause.`;
  const title = `Turn off SmartPause for ${themLabel(targets)}?`;
  const keep = isOne ? 'Keep paused' : `Keep ${figure(count)} paused`;
  if (delay !== undefined) return { title, sentences: [paused, delay], confirm: keep };
  const resume = isOne ? 'Resume now' : `Resume ${figure(count)} now`;
  return { title, sentences: [paused], confirm: keep, resume };
}

function themLabel(targets: readonly Target[]): string {
  const [first] = targets;
  return targets.length === 1 && first !== undefined ? quoted(first) : counted(targets.length, 'campaign');
}

function quoted({ campaign }: Target): string {
  return `“${campaign.name}”`;
}

/** Before SmartPause is turned on for all active campaigns of all ad accounts, also where nothing is paused now. */
export function questionBeforeAll(
  targets: readonly Target[],
  situation: Situation,
  unread: readonly { name: string }[],
): Question {
  const accounts = new Set(targets.map(({ account }) => account.id)).size;
  const campaigns = counted(targets.length, 'campaign');
  const { title, sentences, confirm } = beforeOn(targets, situation) ?? {
    title: `Turn on SmartPause for ${campaigns}?`,
    sentences: [],
    confirm: `Turn on for ${campaigns}`,
  };
  const where = `${campaigns} in ${counted(accounts, 'ad account')}`;
  const names = namesLabel(targets.map(({ campaign }) => campaign));
  return { title, sentences: [`${where}: ${names}.`, ...sentences, ...missing(unread)], confirm };
}

function missing(unread: readonly { name: string }[]): string[] {
  return unread.length === 0 ? [] : [`Not included: ${namesLabel(unread)} couldn’t be loaded.`];
}

/** Before the 'Resume now' of the banner. */
export function questionBeforeResume(
  targets: readonly Target[],
  delayed: readonly { name: string }[],
  unread: readonly { name: string }[],
): Question {
  const campaigns = counted(targets.length, 'campaign');
  const [are, them] = targets.length === 1 ? ['It is', 'it'] : ['They are', 'them'];
  const accounts = new Map(targets.map(({ account }) => [account.id, account]));
  return {
    title: `Resume ${campaigns} now?`,
    sentences: [
      `${are} in ${namesLabel([...accounts.values()])}. SmartPause is turned off for ${them}, so the next disruption won’t pause ${them} until you turn it on again.`,
      ...(delayed.length === 0
        ? []
        : [`Skipped, because resuming is delayed there: ${namesLabel(delayed)}.`]),
      ...missing(unread),
    ],
    confirm: `Resume ${campaigns}`,
  };
}

const DOING: Record<Action, string> = {
  on: 'Turning SmartPause on…',
  off: 'Turning SmartPause off…',
  pause: 'Pausing…',
  resume: 'Resuming…',
};

const DONE: Record<Action, string> = {
  on: 'SmartPause turned on for',
  off: 'SmartPause turned off for',
  pause: 'Paused',
  resume: 'Resumed',
};

export function progressTitle(action: Action, targets: readonly Target[]): string {
  return DOING[shownAction(action, targets)];
}

/** 'SmartPause turned on for 9 of 12 campaigns.' */
export function outcomeTitle(action: Action, { done, failed, left }: Outcome): string {
  const targets = [...done, ...failed.map(({ target }) => target), ...left];
  const all = counted(targets.length, 'campaign');
  const count = done.length === targets.length ? all : `${figure(done.length)} of ${all}`;
  return `${DONE[shownAction(action, targets)]} ${count}.`;
}

/** Turning off to resume is a resume. */
function shownAction(action: Action, targets: readonly Target[]): Action {
  return targets.every(({ resumes }) => resumes === true) ? 'resume' : action;
}

/** '3 failed: Hats, Shoes and Coats.', the server's reasons, and what was not tried. */
export function failureCopy({ failed, left }: Outcome): string {
  const names = namesLabel(failed.map(({ target }) => target.campaign));
  const resumes = failed.some(({ target }) => target.resumes === true);
  return [
    failed.length === 0 ? '' : `${figure(failed.length)} failed: ${names}.`,
    ...[...new Set(failed.map(({ reason }) => reason))].slice(0, 3),
    left.length === 0 ? '' : `${figure(left.length)} not tried.`,
    resumes ? 'Check the list: with SmartPause off, a campaign stays paused until you resume it.' : '',
  ]
    .filter(Boolean)
    .join(' ');
}
