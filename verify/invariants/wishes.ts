import { isDeepStrictEqual } from 'node:util';
import type { ApiName } from '../../src/contract/api.ts';
import type { Snapshot } from './snapshot.ts';

/** Something that somebody asked the product for. */
export interface Ask {
  userId: string;
  name: ApiName;
  params: Record<string, string>;
  body: Record<string, unknown>;
  /** unknown: nobody answered, or a fault did; it may have been done. */
  answer: 'pending' | 'done' | 'refused' | 'unknown';
  /** Whether somebody else's wish, or another one of theirs, for the same was under way meanwhile. */
  isAlone: boolean;
}

/** What people wish for: nothing is set that nobody asked for, and what was answered with success stands. */
export class Wishes {
  #open: Ask[] = [];
  /** Since the last look. */
  #done: Ask[] = [];
  /** Whatever was under way since the look before, and what was answered meanwhile. */
  #underWay: Ask[] = [];
  #answered: Ask[] = [];
  readonly #asked = new Set<string>();
  readonly #lastAnswer = new Map<string, Ask['answer']>();

  asked(given: Pick<Ask, 'userId' | 'name' | 'params' | 'body'>): Ask {
    const ask: Ask = { ...given, answer: 'pending', isAlone: true };
    for (const other of this.#open) {
      if (about(other) !== about(ask)) continue;
      other.isAlone = false;
      ask.isAlone = false;
    }
    this.#open.push(ask);
    this.#asked.add(`${ask.name} ${ask.params['id'] ?? ask.userId}`);
    return ask;
  }

  answered(ask: Ask, answer: Exclude<Ask['answer'], 'pending'>): void {
    ask.answer = answer;
    this.#answered.push(ask);
    this.#lastAnswer.set(`${ask.name} ${ask.params['id'] ?? ''}`, answer);
    if (answer === 'refused') this.#open = this.#open.filter((one) => one !== ask);
    if (answer === 'done') this.#done.push(ask);
  }

  /** Whether anybody ever asked for that: of a campaign by its id, or of a person's own things by theirs. */
  wasAsked(name: ApiName, id: string): boolean {
    return this.#asked.has(`${name} ${id}`);
  }

  /** Whether somebody waits to be answered. */
  isAsked(name: ApiName, id: string): boolean {
    return this.#open.some((ask) => ask.name === name && ask.params['id'] === id && ask.answer === 'pending');
  }

  /** Between the last two looks it may have been turned off, and on again. */
  mayHaveBeenOff(campaignId: string, userId: string): boolean {
    const key = `${campaignId} for ${userId}`;
    return this.#underWay.some((ask) => about(ask) === key && wanted(ask) === 'OFF');
  }

  /** Whoever asked for it last was not told that it is done. */
  wasDenied(name: ApiName, id: string): boolean {
    const answer = this.#lastAnswer.get(`${name} ${id}`);
    return answer === 'refused' || answer === 'unknown';
  }

  /** @returns what is against the rules */
  judge(before: Snapshot, after: Snapshot): string[] {
    this.#underWay = [...this.#open.filter((one) => one.answer === 'pending'), ...this.#answered];
    this.#answered = [];
    const wrong = [...this.#settings(before, after), ...this.#choices(before, after)];
    for (const ask of this.#done) this.#open = this.#open.filter((one) => one !== ask);
    this.#done = [];
    return wrong;
  }

  #settings(before: Snapshot, after: Snapshot): string[] {
    const wrong: string[] = [];
    const was = settingsOf(before);
    const is = settingsOf(after);
    for (const [key, setting] of is) {
      if (setting === was.get(key) || (setting === 'OFF' && !was.has(key))) continue;
      if (setting === 'DEACTIVATED') {
        if (was.get(key) !== 'ON' || !wasGivenUp(key, before, after))
          wrong.push(`SmartPause of ${key} is deactivated without a hold that a hand has ended`);
        continue;
      }
      const wish = this.#open.find((ask) => about(ask) === key && wanted(ask) === setting);
      if (wish === undefined) wrong.push(`SmartPause of ${key} is ${setting}, which nobody asked for`);
    }
    const stay = before.people.filter(
      ({ id, leaving }) => leaving === null && after.people.some((one) => one.id === id),
    );
    for (const key of was.keys()) {
      if (!is.has(key) && stay.some((one) => key.endsWith(` ${one.platform_user_id}`)))
        wrong.push(`SmartPause of ${key} is forgotten`);
    }
    for (const ask of this.#done) {
      const isThere = stay.some((one) => one.platform_user_id === ask.userId);
      if (ask.name !== 'setSmartPause' || !ask.isAlone || !isThere) continue;
      const stands = is.get(about(ask)) ?? 'OFF';
      if (stands !== wanted(ask) && stands !== 'DEACTIVATED')
        wrong.push(`SmartPause of ${about(ask)} is ${stands}, although ${wanted(ask)} was answered`);
    }
    return wrong;
  }

  #choices(before: Snapshot, after: Snapshot): string[] {
    const wrong: string[] = [];
    for (const { id, platform_user_id: userId, threshold, resume_settings } of after.people) {
      const was = before.people.find((one) => one.id === id);
      const wishes = (asks: readonly Ask[]): Ask[] =>
        asks.filter((ask) => ask.userId === userId && isChoice(ask));
      const suits = ({ body }: Ask): boolean =>
        body['outageThreshold'] === threshold && isDeepStrictEqual(body['resumeSettings'], resume_settings);
      const isSame =
        was === undefined ||
        (was.threshold === threshold && isDeepStrictEqual(was.resume_settings, resume_settings));
      if (!isSame && !wishes(this.#open).some(suits))
        wrong.push(`the settings of ${userId} are ${threshold}, which they did not ask for`);
      const answered = wishes(this.#done).filter((ask) => ask.isAlone);
      if (!answered.every(suits))
        wrong.push(`${userId} was told that their settings are saved; they are not`);
    }
    return wrong;
  }
}

function isChoice({ name }: Ask): boolean {
  return name === 'saveSettings' || name === 'initialize';
}

function about(ask: Ask): string {
  return isChoice(ask) ? ask.userId : `${ask.params['campaignId'] ?? ask.name} for ${ask.userId}`;
}

function wanted({ body }: Ask): string {
  return body['enabled'] === true ? 'ON' : 'OFF';
}

/** A hold on the campaign has just ended, by somebody's hand outside. */
function wasGivenUp(key: string, before: Snapshot, after: Snapshot): boolean {
  return after.holds.some(
    ({ id, campaign_id, state, reason }) =>
      key.startsWith(`${campaign_id} `) &&
      state === 'ended' &&
      ['resumed_outside', 'archived', 'deleted'].includes(reason ?? '') &&
      before.holds.some((one) => one.id === id && one.state !== 'ended'),
  );
}

function settingsOf({ people, smart_pause }: Snapshot): Map<string, string> {
  const users = new Map(people.map((one) => [one.id, one.platform_user_id]));
  return new Map(
    smart_pause.map((one) => [`${one.campaign_id} for ${users.get(one.person_id) ?? '?'}`, one.setting]),
  );
}
