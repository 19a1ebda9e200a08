import { expect, test } from 'vitest';
import { questionBefore } from './toggle-question.ts';

const running = { campaign: { status: 'ACTIVE' }, enabled: true, isHeld: false, isMatched: true };
const held = { campaign: { status: 'PAUSED' }, enabled: false, isHeld: true, isMatched: true };

test.each([
  ['on, running, threshold met', running, 'on_during_match'],
  ['on, running, no match', { ...running, isMatched: false }, null],
  ['on, paused, threshold met', { ...running, campaign: { status: 'PAUSED' } }, null],
  ['off, held', held, 'off_while_held'],
  ['off, held, resume scheduled', { ...held, isMatched: false }, 'off_while_held'],
  ['off, not held', { ...held, isHeld: false }, null],
])('[UX-03] the question before a toggle: %s', (_, toggled, question) => {
  expect(questionBefore(toggled)).toBe(question);
});
