import type { UserStatus } from '#contract/shapes.ts';
import { SUSPENDED } from '#core/app-state.ts';
import { LEVEL_WORDS, counted, figure, namesLabel } from '#core/labels.ts';
import { isDelivered, isHeld, isMatched, isPausedEarlyBy } from '../campaigns/campaign-view.ts';
import { delayCopy, untilWordEnds, whenResumed } from '../campaigns/paused-copy.ts';
import { serverNow } from '../../lib/server-clock.ts';
import type { ShownLevel } from '../status/api.ts';
import type { Target } from './actions.ts';
import { namesOf } from './actions.ts';

/** A question before SmartPause is turned on or off. */
export interface Question {
  title: string;
  sentences: readonly string[];
  confirm: string;
  /** Turning off leaves campaigns paused: the choice to resume them at once. */
  resume?: string;
}

export interface Situation {
  status: ShownLevel | null;
  user: UserStatus | undefined;
}

type Targets = readonly Target[];
type Accounts = readonly { name: string }[];

/** The change pauses campaigns now, or leaves campaigns paused that SmartPause would have resumed. */
export function hasConsequences(to: 'on' | 'off', targets: Targets, { status, user }: Situation): boolean {
  return targets.some(({ campaign }) =>
    to === 'on'
      ? (user?.pausedAll !== undefined || isMatched(status, user) || isPausedEarlyBy(status, user)) &&
        isDelivered(campaign)
      : isHeld(campaign, status, user),
  );
}

/** What the change means in the situation of this moment, which may be over before the user answers. */
export function questionBefore(to: 'on' | 'off', targets: Targets, situation: Situation): Question {
  if (!hasConsequences(to, targets, situation)) {
    const label = `Turn ${to}${targets.length === 1 ? '' : ` for ${nameOf(targets)}`}`;
    const them = targets.length === 1 ? 'it' : 'them';
    const later = `Nothing is paused now. In an outage SmartPause pauses ${them}, and resumes ${them} when it’s over.`;
    const sentences = to === 'on' ? [later] : [];
    return { title: `Turn ${to} SmartPause for ${nameOf(targets)}?`, sentences, confirm: label };
  }
  return to === 'on' ? beforeOn(targets, situation) : beforeOff(targets, situation);
}

function beforeOn(targets: Targets, { status, user }: Situation): Question {
  const running = targets.filter(({ campaign }) => isDelivered(campaign)).length;
  const isOne = targets.length === 1;
  const who = isOne ? nameOf(targets) : running === targets.length ? 'they' : `${figure(running)} of them`;
  const [are, they, stay] =
    running === 1 ? ['is', 'It resumes', 'It stays'] : ['are', 'They resume', 'They stay'];
  const word = user?.pausedAll;
  const isEarly = !isMatched(status, user);
  const because = isEarly
    ? 'An early warning is on'
    : `Meta has a ${LEVEL_WORDS[status?.status ?? 'UNKNOWN'].toLowerCase()}`;
  const why = word === undefined ? because : '“Pause all now” is on';
  const end = isEarly ? 'it’s over' : 'the outage ends';
  const ends = user === undefined ? [] : [`${they} ${whenResumed(user.resumeSettings)} ${end}.`];
  return {
    title: isOne ? 'Turn on and pause now?' : `Turn on SmartPause for ${nameOf(targets)}?`,
    sentences: [
      `${why}, so ${who} ${are} paused immediately.`,
      ...(word === undefined ? ends : [`${stay} paused ${untilWordEnds(word, serverNow())}.`]),
      ...(word !== undefined && isMatched(status, user)
        ? [`Meta’s outage may keep ${running === 1 ? 'it' : 'them'} paused for longer.`]
        : []),
    ],
    confirm: isOne ? 'Turn on and pause' : `Turn on and pause ${figure(running)}`,
  };
}

function beforeOff(targets: Targets, { status, user }: Situation): Question {
  const held = targets.filter(({ campaign }) => isHeld(campaign, status, user));
  const isOne = targets.length === 1;
  const count = isOne ? '' : `${figure(held.length)} `;
  const [are, them] = held.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const delayed = user?.heldAccounts?.filter(({ id }) => held.some(({ account }) => account.id === id));
  const [delay] = user?.isSuspended === true ? [SUSPENDED] : delayCopy(delayed ?? [], serverNow());
  return {
    title: `Turn off SmartPause for ${nameOf(targets)}?`,
    sentences: [
      isOne ? 'SmartPause paused this campaign.' : `${count}${are} paused by SmartPause.`,
      `If you keep ${them} paused, SmartPause won’t resume ${them} when ${ending(user)} ends.`,
      ...(delay === undefined ? [] : [delay]),
    ],
    confirm: `Keep ${count}paused`,
    ...(delay === undefined && { resume: `Resume ${count}now` }),
  };
}

/** What keeps campaigns paused. */
function ending(user: UserStatus | undefined): string {
  return user?.pausedAll === undefined ? 'the outage' : '“Pause all now”';
}

function nameOf(targets: Targets): string {
  const [first] = targets;
  return targets.length === 1 && first !== undefined
    ? `“${first.campaign.name}”`
    : counted(targets.length, 'campaign');
}

/** Before SmartPause is turned on for the active campaigns of all ad accounts. */
export function questionBeforeAll(targets: Targets, situation: Situation, leftOut: string[]): Question {
  const { sentences, ...question } = questionBefore('on', targets, situation);
  const where = `${counted(targets.length, 'campaign')} in ${counted(accountsOf(targets).length, 'ad account')}`;
  return { ...question, sentences: [`${where}: ${namesOf(targets)}.`, ...sentences, ...leftOut] };
}

/** Before the 'Resume now' of the banner. */
export function questionBeforeResume(targets: Targets, { user }: Situation, more: string[]): Question {
  const campaigns = counted(targets.length, 'campaign');
  const are = targets.length === 1 ? 'It is' : 'They are';
  return {
    title: `Resume ${campaigns} now?`,
    sentences: [
      `${are} in ${namesLabel(accountsOf(targets))}. ${staysOnCopy(targets.length, user)}`,
      ...more,
    ],
    confirm: `Resume ${campaigns}`,
  };
}

/** What 'Resume now' means for SmartPause. */
export function staysOnCopy(count: number, user?: UserStatus): string {
  const [when, next] =
    user?.pausedAll === undefined ? ['in this outage', 'one'] : ['while “Pause all now” is on', 'outage'];
  const it = count === 1 ? 'it' : 'them';
  return `SmartPause won’t pause ${it} again ${when}, and stays on for the next ${next}.`;
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

/** A sentence about ad accounts that the change leaves out; none without such accounts. */
export function leavingOut(accounts: Accounts, sentence: (names: string) => string): string[] {
  return accounts.length === 0 ? [] : [sentence(namesLabel(accounts))];
}

function accountsOf(targets: Targets): Target['account'][] {
  return [...new Map(targets.map(({ account }) => [account.id, account])).values()];
}
