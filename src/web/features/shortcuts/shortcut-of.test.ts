import { expect, test } from 'vitest';
import type { PressedKey, Situation } from './shortcut-of.ts';
import { shortcutOf } from './shortcut-of.ts';

const KEY: PressedKey = {
  ...{ key: '/', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false },
  ...{ isComposing: false, repeat: false },
};
const HERE: Situation = { isMac: false, isTyping: false, isBusy: false, hasSingleKeys: true };

test.each<[string, Partial<PressedKey>, Partial<Situation>, string | null]>([
  ['/ searches', {}, {}, 'search'],
  ['/ with Shift, as on a German keyboard', { shiftKey: true }, {}, 'search'],
  ['? lists the shortcuts', { key: '?', shiftKey: true }, {}, 'help'],
  ['another key', { key: 'k' }, {}, null],
  ['/ in a field', {}, { isTyping: true }, null],
  ['/ in a dialog', {}, { isBusy: true }, null],
  ['/ turned off', {}, { hasSingleKeys: false }, null],
  ['? turned off', { key: '?' }, { hasSingleKeys: false }, null],
  ['/ with Ctrl', { ctrlKey: true }, {}, null],
  ['/ with Alt', { altKey: true }, {}, null],
  ['/ held down', { repeat: true }, {}, null],
  ['/ in an unfinished composition', { isComposing: true }, {}, null],
  ['Ctrl+K', { key: 'k', ctrlKey: true }, {}, 'palette'],
  ['Ctrl+K with Caps Lock', { key: 'K', ctrlKey: true }, {}, 'palette'],
  ['Ctrl+K in a field', { key: 'k', ctrlKey: true }, { isTyping: true }, 'palette'],
  ['Ctrl+K with single keys off', { key: 'k', ctrlKey: true }, { hasSingleKeys: false }, 'palette'],
  ['Ctrl+K in a dialog', { key: 'k', ctrlKey: true }, { isBusy: true }, null],
  ['Ctrl+Shift+K', { key: 'K', ctrlKey: true, shiftKey: true }, {}, null],
  ['Ctrl+K on a Mac', { key: 'k', ctrlKey: true }, { isMac: true }, null],
  ['Cmd+K on a Mac', { key: 'k', metaKey: true }, { isMac: true }, 'palette'],
  ['the Windows key and K', { key: 'k', metaKey: true }, {}, null],
])('%s', (_name, pressed, situation, expected) => {
  expect(shortcutOf({ ...KEY, ...pressed }, { ...HERE, ...situation })).toBe(expected);
});
