import type { WorldUser } from '#core/reconciler/world.ts';
import type { Target } from '#core/reconciler/hold.ts';
import type { Rules } from './rules.ts';
import type { HistoryState } from './state.ts';
import { CAMPAIGN } from './state.ts';

/** One thing that happens around the campaign. */
type Act = (history: HistoryState, rules: Rules) => void;

const LEVELS = ['UP', 'UP', 'UP', 'LOW_DISRUPTION', 'HIGH_DISRUPTION', 'HIGH_DISRUPTION', 'UNKNOWN'] as const;
const THRESHOLDS = ['LOW', 'MEDIUM', 'HIGH'] as const;
const RARE = [
  ...(['leave', 'gone', 'away', 'away', 'end', 'refuse', 'refuse'] as const),
  ...(['refuse for now', 'refuse for now', 'limit of the app'] as const),
];
const DOUBTFUL = ['lag', 'lag', 'lag', 'log behind', 'gap', 'old copy', 'old copy'] as const;

const level: Act = (history) => {
  const next = history.random.pick(LEVELS);
  history.setLevel(next);
  history.say(`level ${next}`);
};

const external: Act = ({ random, platform }) =>
  void platform.changeOutside(random.pick<Target>(['ACTIVE', 'PAUSED']));

export const toggle: Act = (history, rules) => {
  const user = history.random.pick(history.users);
  turn(history, rules, { user, setting: user.settings.get(CAMPAIGN)?.setting === 'ON' ? 'OFF' : 'ON' });
};

function turn(
  history: HistoryState,
  rules: Rules,
  { user, setting }: { user: WorldUser; setting: 'ON' | 'OFF' },
): void {
  rules.onToggle(user.id, setting);
  user.settings = new Map([[CAMPAIGN, { setting, changedAt: history.now }]]);
  if (setting === 'ON') user.leftAlone = new Map();
  if (history.takeBackResume(user.id)) rules.resumeNow.onTakeBack();
  history.say(`${user.id} turns SmartPause ${setting}`);
}

const manual: Act = (history, rules) => {
  const user = history.random.pick(history.users);
  const isOn = user.settings.get(CAMPAIGN)?.setting === 'ON';
  const status = isOn ? 'PAUSED' : history.random.pick<Target>(['ACTIVE', 'PAUSED']);
  if (!history.wish(user.id, status)) return;
  history.isOfMany = history.random.chance(0.3);
  rules.onWish(status);
  history.say(`${user.id} asks for ${status}${history.isOfMany ? ', and other campaigns' : ''}`);
};

/** 'Resume now' of a campaign whose resume Meta refused for good, when no outage would pause it again. */
const resumeRefused: Act = (history, rules) => {
  const user = history.users.find(({ id }) => id === history.refused?.userId);
  if (user === undefined || history.hold !== null) return;
  if (rules.word.isMatched(history.status, user) || !history.wish(user.id, 'ACTIVE')) return;
  if (history.random.chance(0.5))
    for (const setting of ['OFF', 'ON'] as const) turn(history, rules, { user, setting });
  history.isOfMany = history.random.chance(0.3);
  rules.onWish('ACTIVE');
  history.say(`${user.id} resumes what Meta refused`);
};

export const resumeNow: Act = (history, rules) => {
  const user = history.random.pick(history.users);
  if (!history.askResume(user.id)) return;
  rules.onResumeNow();
  const { write } = history;
  if (write?.state === 'open' && write.plannedRetryAt !== null)
    rules.retryNow.onPress(write, write.plannedRetryAt);
  history.say(`${user.id} asks for the resume now`);
};

/** Another value for a field of a user. */
const edit =
  (field: string, change: (user: WorldUser, history: HistoryState) => Partial<WorldUser>): Act =>
  (history) => {
    const user = history.random.pick(history.users);
    Object.assign(user, change(user, history));
    history.say(`${user.id} has another ${field}`);
  };

const rare: Act = (history) => {
  const { random, platform, now } = history;
  const what = random.pick(RARE);
  history.say(what);
  if (what === 'leave') random.pick(history.users).isLeaving = true;
  if (what === 'gone') platform.gone = random.pick(['ARCHIVED', 'DELETED']);
  if (what === 'away') platform.awayUntil = now + random.pick([15_000, 600_000, 7_200_000]);
  if (what === 'end') history.stopTime = now + random.pick([0, 60_000]);
  if (what === 'refuse') platform.isRefusing = !platform.isRefusing;
  if (what === 'refuse for now') platform.refusesUntil = now + random.pick([150_000, 600_000]);
  if (what === 'limit of the app') platform.limitedUntil = now + random.pick([90_000, 600_000]);
};

/** Meta answers wrongly. */
const doubtful: Act = (history) => {
  const { random, platform } = history;
  const what = random.pick(DOUBTFUL);
  history.say(what);
  if (what === 'lag') platform.lag();
  if (what === 'log behind') platform.isLogBehind = !platform.isLogBehind;
  if (what === 'old copy') {
    // Copies of the last seconds count, since the clocks of caches differ; not two in a row.
    if (random.chance(0.5)) history.readPage(random.whole(1000, 9000));
    else for (let copy = 0; copy < 2; copy += 1) history.readPage(random.whole(15_000, 290_000));
  }
  if (what === 'gap') platform.gaps += random.whole(1, 2);
};

const retryNow: Act = (history, rules) => {
  const user = history.random.pick(history.users);
  const dueAt = history.retryNow(user);
  if (dueAt === null || history.write === null) return;
  rules.retryNow.onPress(history.write, dueAt);
  history.say(`${user.id} asks for another try`);
};

/** Meta refuses each write for some time. */
const refusal: Act = (history) => {
  const { random, platform, now } = history;
  const isBlocked = random.chance(0.5);
  if (isBlocked) platform.blocksUntil = now + random.pick([60_000, 5_400_000]);
  else platform.refusesUntil = now + 600_000;
  history.say(isBlocked ? 'a block' : 'refuse for now');
};

/** A user leaves, and their account is deleted as soon as nothing of theirs is in progress. */
const deletion: Act = (history, rules) => {
  const leaving = history.users.find(({ isLeaving }) => isLeaving);
  const user = leaving ?? history.random.pick(history.users);
  user.isLeaving = true;
  const hadWish = history.deleteAccount(user);
  if (hadWish === true) rules.onWishDropped();
  history.say(`${user.id} ${hadWish === null ? 'leaves' : 'is deleted'}`);
};

/** 'Pause all now', which may have an end, or its end. */
const word: Act = (history, rules) => {
  const { random, now } = history;
  const user = random.pick(history.users);
  const isEnd = rules.word.isSaid(user) && random.chance(0.6);
  const until = random.chance(0.4) ? null : now + random.pick([5000, 60_000, 900_000]);
  if (isEnd) rules.word.onEnd(user);
  else rules.word.onSay(user, until);
  history.sayAll(user, isEnd ? now : until);
  history.say(`${user.id} ${isEnd ? 'resumes all' : `pauses all${until === null ? '' : ' for a time'}`}`);
};

/** An early warning that pauses, or its end. */
const warning: Act = (history, rules) => {
  const isEnd = rules.warning.isOn;
  if (isEnd) rules.warning.onEnd();
  else rules.warning.onBegin();
  history.warn(isEnd ? history.now : null);
  history.say(`an early warning ${isEnd ? 'is over' : 'begins'}`);
};

/** A user lets early warnings pause, or not any more. */
const choice: Act = (history, rules) => {
  const user = history.random.pick(history.users);
  const isWanted = !rules.warning.isWanted(user);
  rules.warning.onChoice(user, isWanted);
  history.choose(user, isWanted);
  history.say(`early warnings ${isWanted ? '' : 'no longer '}pause for ${user.id}`);
};

/** In a third of the histories, as `WORDS`. */
export const WARNINGS: readonly Act[] = [warning, warning, choice];

/** In a third of the histories, beside all others, for the same reason. */
export const WORDS: readonly Act[] = [word];

/** In half of the histories, beside the others: they change nothing about the other half, whose seeds are known. */
export const MORE_ACTS: readonly Act[] = [
  ...[retryNow, retryNow, retryNow, refusal, deletion, resumeRefused],
];

/** In half of the histories Meta answers wrongly, and then often: single wrong answers rarely meet. */
export const DOUBTFUL_ACTS: readonly Act[] = Array.from({ length: 10 }, () => doubtful);

/** Whatever happens around the campaign: users, other tools, Meta's status. */
export const ACTS: readonly Act[] = [
  ...[level, level, level, level, level, level],
  ...[external, external, toggle, toggle, manual, manual, resumeNow, resumeNow],
  edit('access', ({ hasAccess }) => ({ hasAccess: !hasAccess })),
  edit('subscription', ({ mayHold }) => ({ mayHold: !mayHold })),
  edit('threshold', (_user, { random }) => ({ threshold: random.pick(THRESHOLDS) })),
  rare,
  (history, rules) => {
    if (history.startTest(history.random.pick(history.users))) rules.onTest();
  },
];
