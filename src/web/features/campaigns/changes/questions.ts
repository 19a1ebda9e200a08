import type { PlatformStatus, UserStatus } from '#contract/shapes.ts';
import { LEVEL_WORDS, counted, figure, namesLabel } from '#core/labels.ts';
import { isDelivered, isHeld, isMatched } from '../campaign-view.ts';
import { delayCopy, whenResumed } from '../outage-copy.ts';
import type { Action, Target } from './actions.ts';

/** A question before a change with consequences. */
export interface Question {
  title: string;
  sentences: readonly string[];
  confirm: string;
  /** Turning off leaves campaigns paused: the choice to resume them at once. */
  resume?: string;
}

export interface Situation {
  status: PlatformStatus | null;
  user: UserStatus | undefined;
}

type Targets = readonly Target[];
type Accounts = readonly { name: string }[];

/** Null: the change has no consequences now. */
export function questionBefore(action: Action, targets: Targets, situation: Situation): Question | null {
  if (action === 'on') return beforeOn(targets, situation);
  if (action === 'off') return beforeOff(targets, situation);
  const [they, them] = targets.length === 1 ? ['It stays', 'it'] : ['They stay', 'them'];
  const campaigns = counted(targets.length, 'campaign');
  if (action === 'pause') {
    const sentence = `${they} paused until you resume ${them}.`;
    return { title: `Pause ${nameOf(targets)}?`, sentences: [sentence], confirm: `Pause ${campaigns}` };
  }
  if (!isMatched(situation.status, situation.user)) return null;
  const sentence = `Meta’s status meets your threshold right now, and SmartPause is off for ${them}.`;
  return { title: `Resume ${nameOf(targets)}?`, sentences: [sentence], confirm: `Resume ${campaigns}` };
}

function beforeOn(targets: Targets, { status, user }: Situation): Question | null {
  const running = targets.filter(({ campaign }) => isDelivered(campaign)).length;
  if (status === null || user === undefined || !isMatched(status, user) || running === 0) return null;
  const isOne = targets.length === 1;
  const who = isOne ? nameOf(targets) : running === targets.length ? 'they' : `${figure(running)} of them`;
  const [are, they] = running === 1 ? ['is', 'It resumes'] : ['are', 'They resume'];
  return {
    title: isOne ? 'Turn on and pause now?' : `Turn on SmartPause for ${nameOf(targets)}?`,
    sentences: [
      `Meta has a ${LEVEL_WORDS[status.status].toLowerCase()}, so ${who} ${are} paused immediately.`,
      `${they} ${whenResumed(user.resumeSettings)} the outage ends.`,
    ],
    confirm: isOne ? 'Turn on and pause' : `Turn on and pause ${figure(running)}`,
  };
}

function beforeOff(targets: Targets, { status, user }: Situation): Question | null {
  const held = targets.filter(({ campaign }) => isHeld(campaign, status, user));
  const count = held.length;
  if (count === 0) return null;
  const isOne = targets.length === 1;
  const them = count === 1 ? 'it' : 'them';
  const delayed = user?.heldAccounts?.filter(({ id }) => held.some(({ account }) => account.id === id));
  const [delay] = delayCopy(delayed);
  const paused = isOne
    ? 'SmartPause paused this campaign.'
    : `${figure(count)} ${count === 1 ? 'is' : 'are'} paused by SmartPause.`;
  return {
    title: `Turn off SmartPause for ${nameOf(targets)}?`,
    sentences: [
      paused,
      `If you keep ${them} paused, SmartPause won’t resume ${them}.`,
      ...(delay === undefined ? [] : [delay]),
    ],
    confirm: isOne ? 'Keep paused' : `Keep ${figure(count)} paused`,
    ...(delay === undefined && { resume: isOne ? 'Resume now' : `Resume ${figure(count)} now` }),
  };
}

function nameOf(targets: Targets): string {
  const [first] = targets;
  return targets.length === 1 && first !== undefined
    ? `“${first.campaign.name}”`
    : counted(targets.length, 'campaign');
}

/** Before SmartPause is turned on for all active campaigns of all ad accounts, also where nothing is paused now. */
export function questionBeforeAll(
  targets: Targets,
  situation: Situation,
  { unread = [], skipped = [] }: { unread?: Accounts; skipped?: Targets },
): Question {
  const campaigns = counted(targets.length, 'campaign');
  const { title, sentences, confirm } = beforeOn(targets, situation) ?? {
    title: `Turn on SmartPause for ${campaigns}?`,
    sentences: [],
    confirm: `Turn on for ${campaigns}`,
  };
  const where = `${campaigns} in ${counted(accountsOf(targets).length, 'ad account')}`;
  const names = namesLabel(targets.map(({ campaign }) => campaign));
  const left = [...missing(unread), ...skippedCopy(skipped)];
  return { title, sentences: [`${where}: ${names}.`, ...sentences, ...left], confirm };
}

/** Empty: none is skipped. */
export function skippedCopy(skipped: Targets): string[] {
  if (skipped.length === 0) return [];
  const are = skipped.length === 1 ? 'is' : 'are';
  const where = namesLabel(accountsOf(skipped));
  return [
    `${counted(skipped.length, 'campaign')} ${are} skipped: Meta doesn’t let you pause campaigns in ${where}.`,
  ];
}

/** Before the 'Resume now' of the banner. */
export function questionBeforeResume(targets: Targets, delayed: Accounts, unread: Accounts): Question {
  const campaigns = counted(targets.length, 'campaign');
  const [are, them] = targets.length === 1 ? ['It is', 'it'] : ['They are', 'them'];
  const skipped = `Skipped, because resuming is delayed there: ${namesLabel(delayed)}.`;
  return {
    title: `Resume ${campaigns} now?`,
    sentences: [
      `${are} in ${namesLabel(accountsOf(targets))}. SmartPause is turned off for ${them}, so the next disruption won’t pause ${them} until you turn it on again.`,
      ...(delayed.length === 0 ? [] : [skipped]),
      ...missing(unread),
    ],
    confirm: `Resume ${campaigns}`,
  };
}

function accountsOf(targets: Targets): Target['account'][] {
  return [...new Map(targets.map(({ account }) => [account.id, account])).values()];
}

function missing(unread: Accounts): string[] {
  return unread.length === 0 ? [] : [`Not included: ${namesLabel(unread)} couldn’t be loaded.`];
}
