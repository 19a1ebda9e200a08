import type { Campaign, UserStatus } from '#contract/shapes.ts';
import { LEGACY_CAMPAIGN_WORDS, counted, figure, resumeWords } from '#core/words.ts';
import type { BulkRun } from './state.ts';

const NAMED = 3;

/** 'Hats, Shoes, Coats and 34 more'. */
export function namesWords(campaigns: readonly { name: string }[]): string {
  const named = campaigns
    .slice(0, campaigns.length === NAMED + 1 ? NAMED + 1 : NAMED)
    .map(({ name }) => name);
  const more = campaigns.length - named.length;
  if (more > 0) return `${named.join(', ')} and ${figure(more)} more`;
  const last = named.pop() ?? '';
  return named.length === 0 ? last : `${named.join(', ')} and ${last}`;
}

export interface Consequence {
  targets: readonly Campaign[];
  enabled: boolean;
  /** The status meets the person's threshold at this moment. */
  isMatched: boolean;
  person: UserStatus | undefined;
}

/** What the change brings about, sentence by sentence. */
export function consequenceWords({ targets, enabled, isMatched, person }: Consequence): string[] {
  const running = targets.filter(({ status }) => status === 'ACTIVE').length;
  const held = targets.filter((campaign) => campaign.held === true).length;
  const resumed = person === undefined ? '' : `: ${resumeWords(person.resumeSettings)}`;
  if (!enabled) {
    const freed =
      'SmartPause no longer pauses them in a disruption, and you can pause and resume them by hand again.';
    if (held === 0) return [freed];
    const [are, they] =
      held === 1 ? ['1 of them is', 'It stays'] : [`${figure(held)} of them are`, 'They stay'];
    return [
      freed,
      `${are} held by SmartPause right now. ${they} paused: nothing resumes ${held === 1 ? 'it' : 'them'} when the disruption is over, until you do.`,
    ];
  }
  if (!isMatched)
    return [
      `When a disruption meets your threshold, those that are running are paused, and resumed when it is over${resumed}.`,
    ];
  if (running === 0)
    return ["Meta's status meets your threshold right now. None of them is running, so nothing is paused."];
  return [
    `Meta's status meets your threshold right now: ${running === 1 ? 'the one of them that is running is' : `the ${figure(running)} of them that are running are`} paused at once, and resumed when the disruption is over${resumed}.`,
  ];
}

/** '2 more are skipped. Meta no longer allows …' */
export function notAllowedWords(count: number): string {
  return `${figure(count)} more ${count === 1 ? 'is' : 'are'} skipped. ${LEGACY_CAMPAIGN_WORDS}`;
}

/** '2 archived campaigns are skipped.' */
export function endedWords(count: number): string {
  return `${counted(count, 'archived campaign')} ${count === 1 ? 'is' : 'are'} skipped.`;
}

export function turning(enabled: boolean): string {
  return enabled ? 'on' : 'off';
}

/** How it ended, in one line. */
export function outcomeWords({ enabled, targets, done, left }: BulkRun): string {
  const turned = `SmartPause turned ${turning(enabled)} for`;
  if (left.length === 0) return `${turned} ${counted(done, 'campaign')}.`;
  return `${turned} ${figure(done)} of ${counted(targets.length, 'campaign')}.`;
}

/** What did not come about: '3 failed: Hats, Shoes and Coats. 85 were not tried.' */
export function leftWords({ enabled, failed, left, already }: BulkRun): string {
  const untried = left.length - failed.length;
  const parts = [
    failed.length > 0
      ? `${figure(failed.length)} failed: ${namesWords(failed.map(({ target }) => target))}.`
      : '',
    untried > 0
      ? `${figure(untried)} ${untried === 1 ? 'was' : 'were'} left as ${untried === 1 ? 'it is' : 'they are'}.`
      : '',
    already > 0 ? `${figure(already)} ${already === 1 ? 'was' : 'were'} ${turning(enabled)} already.` : '',
  ];
  return parts.filter((part) => part !== '').join(' ');
}
