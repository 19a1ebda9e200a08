import type { LiveTest } from '#contract/try-api.ts';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';
import { atOrOnTime } from '../../lib/times.ts';
import { metaSays } from '../campaigns/campaign-view.ts';

/** Its campaign is not resumed yet. */
export function isRunning({ state, resumedAt, reason }: LiveTest): boolean {
  if (state === null) return resumedAt === null && reason === null;
  return state === 'pausing' || state === 'paused' || state === 'resuming';
}

export interface TestStep {
  label: string;
  state: 'done' | 'now' | 'later';
  /** Of the wait for the resume: what is left, from 1 to 0. */
  left?: number;
}

/** The steps of a test that runs, was resumed, or became the pause of an outage. */
export function testSteps(test: LiveTest, now: Instant): TestStep[] {
  const { startedAt, pausedAt, resumedAt, until, state } = test;
  const paused: TestStep =
    pausedAt === null
      ? { label: 'Pausing on Meta…', state: 'now' }
      : { label: `Paused on Meta after ${wholeSeconds(startedAt, pausedAt)}`, state: 'done' };
  if (state === 'kept')
    return [
      paused,
      { label: 'An outage began, so SmartPause keeps it paused until it’s over', state: 'done' },
    ];
  if (resumedAt !== null)
    return [paused, { label: `Resumed after ${wholeSeconds(startedAt, resumedAt)}`, state: 'done' }];
  if (pausedAt === null) return [paused, { label: 'Resumes about a minute later', state: 'later' }];
  const end = until === null ? now : Date.parse(until);
  if (state !== 'paused' || end <= now) return [paused, { label: 'Resuming on Meta…', state: 'now' }];
  const left = (end - now) / (end - Date.parse(startedAt));
  return [paused, { label: `Resumes in ${Math.ceil((end - now) / seconds(1))} s`, state: 'now', left }];
}

/** What is announced once: the last step that is done, not the seconds that are left. */
export function announcement(test: LiveTest, now: Instant): string {
  const { state: end, refused, campaign, reason } = test;
  if (refused !== undefined) {
    const { retryAt } = refused;
    const next = retryAt === null ? [] : [`SmartPause tries again ${atOrOnTime(Date.parse(retryAt), now)}.`];
    const said = refused.words === null ? [] : [metaSays(refused)];
    return [`Meta refuses to resume ${campaign.name}, so it stays paused for now.`, ...said, ...next].join(
      ' ',
    );
  }
  if (end === 'ended') return `The test ended: ${reason ?? 'it was stopped'}.`;
  const done = testSteps(test, now).findLast(({ state }) => state === 'done');
  return done === undefined ? '' : `${test.campaign.name}: ${done.label}`;
}

function wholeSeconds(from: string, to: string): string {
  return `${Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / seconds(1)))} s`;
}
