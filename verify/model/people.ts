import type { AccountUser } from '#core/reconciler/account.ts';
import type { Target } from '#core/reconciler/hold.ts';
import type { Rules } from './rules.ts';
import type { HistoryState } from './state.ts';
import { CAMPAIGN } from './state.ts';

type Act = (people: People) => void;

/** Whatever happens around the campaign: users, other tools, Meta's status. */
export class People {
  readonly #history: HistoryState;
  readonly #rules: Rules;

  constructor(history: HistoryState, rules: Rules) {
    this.#history = history;
    this.#rules = rules;
  }

  act(): void {
    this.#history.random.pick(ACTS)(this);
    this.#history.lookAt = this.#history.now;
  }

  get #user(): AccountUser {
    return this.#history.random.pick(this.#history.users);
  }

  level(): void {
    const { random } = this.#history;
    const level = random.pick([
      'UP',
      'UP',
      'UP',
      'LOW_DISRUPTION',
      'HIGH_DISRUPTION',
      'HIGH_DISRUPTION',
      'UNKNOWN',
    ] as const);
    this.#history.setLevel(level);
    this.#history.say(`level ${level}`);
  }

  external(): void {
    const to = this.#history.random.pick<Target>(['ACTIVE', 'PAUSED']);
    this.#history.platform.changeOutside(to);
  }

  toggle(): void {
    const user = this.#user;
    const setting = user.settings.get(CAMPAIGN)?.setting === 'ON' ? 'OFF' : 'ON';
    this.#rules.onToggle(user.id, setting);
    Object.assign(user, { settings: new Map([[CAMPAIGN, { setting, changedAt: this.#history.now }]]) });
    this.#history.say(`${user.id} turns SmartPause ${setting}`);
  }

  manual(): void {
    const user = this.#user;
    const isOn = user.settings.get(CAMPAIGN)?.setting === 'ON';
    const status = isOn ? 'PAUSED' : this.#history.random.pick<Target>(['ACTIVE', 'PAUSED']);
    if (!this.#history.wish(user.id, status)) return;
    this.#rules.onWish(status);
    this.#history.say(`${user.id} asks for ${status}`);
  }

  token(): void {
    const user = this.#user;
    Object.assign(user, { hasAccess: !user.hasAccess });
    this.#history.say(`${user.id} has ${user.hasAccess ? '' : 'no '}access`);
  }

  subscription(): void {
    const user = this.#user;
    Object.assign(user, { mayHold: !user.mayHold });
    this.#history.say(`${user.id} ${user.mayHold ? 'may' : 'may not'} hold`);
  }

  threshold(): void {
    const user = this.#user;
    Object.assign(user, { threshold: this.#history.random.pick(['LOW', 'MEDIUM', 'HIGH'] as const) });
    this.#history.say(`${user.id} has threshold ${user.threshold}`);
  }

  rare(): void {
    const { random, platform } = this.#history;
    const what = random.pick(['leave', 'gone', 'away', 'away', 'end', 'refuse', 'refuse'] as const);
    this.#history.say(what);
    if (what === 'leave') Object.assign(this.#user, { isLeaving: true });
    if (what === 'gone') platform.gone = random.pick(['ARCHIVED', 'DELETED'] as const);
    if (what === 'away') platform.awayUntil = this.#history.now + random.pick([15_000, 600_000, 7_200_000]);
    if (what === 'end') this.#history.stopTime = this.#history.now + random.pick([0, 60_000]);
    if (what === 'refuse') platform.isRefusing = !platform.isRefusing;
  }

  test(): void {
    this.#history.startTest(this.#user);
  }
}

const level: Act = (people) => people.level();
const external: Act = (people) => people.external();
const toggle: Act = (people) => people.toggle();
const manual: Act = (people) => people.manual();
const ACTS: readonly Act[] = [
  ...[level, level, level, level, level, level],
  ...[external, external, toggle, toggle, manual, manual],
  (people) => people.token(),
  (people) => people.subscription(),
  (people) => people.threshold(),
  (people) => people.rare(),
  (people) => people.test(),
];
