import type { ReactNode } from 'react';
import type { OutageSummary } from '#contract/outage-api.ts';
import { figure } from '#core/labels.ts';
import type { Fact } from '../../components/facts.tsx';
import { StatusMark } from '../status/status-mark.tsx';
import { Time } from '../../components/time.tsx';
import { exactDuration, exactTime } from '../../lib/exact-times.ts';

const THRESHOLD_WORDS = { LOW: 'Low or worse', MEDIUM: 'Medium or worse', HIGH: 'High' };

/** What happened to the campaigns, in figures. Zeros that say nothing are left out. */
export function figuresOf({ counts, lastPauseAfterMs }: OutageSummary): Fact[] {
  const { paused, resumed, stillPaused, notResumed, notPaused } = counts;
  const figures: [label: string, count: number, isShown: boolean][] = [
    ['Paused', paused, true],
    ['Resumed', resumed, paused > 0],
    ['Still paused', stillPaused, stillPaused > 0],
    ['Not resumed', notResumed, notResumed > 0],
    ['Not paused', notPaused, notPaused > 0],
  ];
  return [
    ...figures.filter(([, , isShown]) => isShown).map(([label, count]): Fact => [label, figure(count)]),
    ...(lastPauseAfterMs === null ? [] : [['Last pause after', exactDuration(lastPauseAfterMs)] as const]),
  ];
}

export const SET_BY_TEAM = 'The SmartPause team';

/** The outage itself: when, how bad, and what Meta said. */
export function factsOf(outage: OutageSummary): Fact[] {
  const { startedAt, endedAt, peak, isOverridden, components, quotes, threshold, matchedAt } = outage;
  const start = Date.parse(startedAt);
  const end = endedAt === null ? null : Date.parse(endedAt);
  const met = matchedAt === null ? null : Date.parse(matchedAt);
  const facts: [label: string, value: Fact[1] | null][] = [
    ['Peak level', <StatusMark key="peak" level={peak} />],
    ['Level set by', isOverridden === true ? SET_BY_TEAM : null],
    ['Started (EST)', timeFact(start, start)],
    ['Ended (EST)', end === null ? null : timeFact(end, start)],
    ['Duration', end === null ? 'Not over yet' : exactDuration(end - start)],
    ['Your threshold', threshold === null ? null : THRESHOLD_WORDS[threshold]],
    ['Threshold met (EST)', threshold === null ? null : met === null ? 'No' : timeFact(met, start)],
    ['Components', components.length === 0 ? null : components.join(', ')],
    ['In Meta’s words', quotes.length === 0 ? null : quotes.map((quote) => `“${quote}”`).join(', ')],
  ];
  return facts.filter(([, value]) => value !== null);
}

function timeFact(at: number, day: number): ReactNode {
  return <Time at={at}>{exactTime(at, day)}</Time>;
}
