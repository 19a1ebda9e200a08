import { describe, expect, test } from 'vitest';
import type { LiveTestFacts } from './live-test.ts';
import { liveTestNotification } from './live-test.ts';
import { render } from './render.ts';

const AT = Date.parse('2026-01-09T02:10:00Z');
type Act = LiveTestFacts['acts'][number];
const act = (event: string, over: Partial<Act> = {}): Act => ({
  campaignId: '1',
  name: 'Shoes',
  account: 'Lind Outdoor',
  event,
  at: AT,
  reason: null,
  refusal: null,
  ...over,
});
const email = (acts: Act[], unfinished = 0) =>
  render(liveTestNotification({ publicUrl: 'https://smartpause.example', acts, unfinished }), '');

describe('[TEST-02, ENG-13] the email about a live test', () => {
  test.each<[Act[], string]>([
    [[act('test_paused'), act('test_resumed')], 'Test: SmartPause paused and resumed "Shoes"'],
    [[act('test_resumed')], 'Test: SmartPause resumed "Shoes"'],
    [[act('test_paused')], 'Test: SmartPause paused "Shoes"'],
    [[act('test_released', { reason: 'not_needed' })], 'Test: SmartPause did not pause "Shoes"'],
    [[act('test_paused'), act('test_resumed', { campaignId: '2' })], 'Test: SmartPause tested 2 campaigns'],
  ])('its subject says test', (acts, subject) => {
    expect(email(acts).subject).toBe(subject);
  });

  test('names each step with its time, and how the test ended', () => {
    const { text } = email([
      act('test_paused'),
      act('test_released', { at: AT + 30_000, reason: 'resumed_outside' }),
    ]);
    expect(text).toContain('There was no outage.');
    expect(text).toContain('Paused Shoes');
    expect(text).toContain('Lind Outdoor, Jan 8, 2026, 9:10 PM EST: it was resumed outside SmartPause');
  });

  test('says that the test is not over yet', () => {
    expect(email([act('test_paused')], 1).text).toContain("The test isn't over yet");
    expect(email([act('test_paused')]).text).not.toContain("The test isn't over yet");
  });
});
