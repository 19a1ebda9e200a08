import { describe, expect, test } from 'vitest';
import type { LiveTest } from '#contract/try-api.ts';
import { announcement, isRunning, testSteps } from './live-test-copy.ts';

const START = Date.parse('2026-01-09T02:10:00Z');
const at = (s: number) => new Date(START + s * 1000).toISOString();
const one = (over: Partial<LiveTest>): LiveTest => ({
  id: '1',
  campaign: { id: '1', name: 'Shoes' },
  adAccount: { id: 'act_1', name: 'Lind' },
  state: 'pausing',
  startedAt: at(0),
  until: at(60),
  pausedAt: null,
  resumedAt: null,
  reason: null,
  ...over,
});

describe('[TEST-02] a live test in words', () => {
  test.each<[Partial<LiveTest>, string[]]>([
    [{}, ['now Pausing on Meta…', 'later Resumes about a minute later']],
    [{ state: 'paused', pausedAt: at(2) }, ['done Paused on Meta after 2 s', 'now Resumes in 50 s']],
    [
      { state: 'paused', pausedAt: at(2), until: at(5) },
      ['done Paused on Meta after 2 s', 'now Resuming on Meta…'],
    ],
    [
      { state: 'resumed', pausedAt: at(2), resumedAt: at(61) },
      ['done Paused on Meta after 2 s', 'done Resumed after 61 s'],
    ],
    [
      { state: 'kept', pausedAt: at(2), until: null },
      [
        'done Paused on Meta after 2 s',
        'done An outage began, so SmartPause keeps it paused until it’s over',
      ],
    ],
  ])('%j', (over, expected) => {
    const steps = testSteps(one(over), START + 10_000);
    expect(steps.map(({ state, label }) => `${state} ${label}`)).toEqual(expected);
  });

  test('is announced without the seconds that are left', () => {
    expect(announcement(one({}), START)).toBe('');
    const paused = one({ state: 'paused', pausedAt: at(2) });
    expect(announcement(paused, START + 10_000)).toBe('Shoes: Paused on Meta after 2 s');
    const ended = one({ state: 'ended', reason: 'it was resumed outside SmartPause' });
    expect(announcement(ended, START)).toBe('The test ended: it was resumed outside SmartPause.');
    const refused = { words: 'Two-factor required', retryAt: at(120) };
    expect(announcement(one({ state: 'ended', reason: 'it stays paused', refused }), START)).toBe(
      'Meta refuses to resume Shoes, so it stays paused for now. Meta says “Two-factor required”. SmartPause tries again at 9:12 PM EST.',
    );
    expect([isRunning(ended), isRunning(one({}))]).toEqual([false, true]);
    // A state of a newer server.
    expect([{}, { reason: 'stopped' }].map((over) => isRunning(one({ ...over, state: null })))).toEqual([
      true,
      false,
    ]);
  });
});
