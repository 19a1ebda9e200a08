export type Shortcut = 'palette' | 'search' | 'help';

export type PressedKey = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'isComposing' | 'repeat'
>;

export interface Situation {
  isMac: boolean;
  /** The focus is in a field that takes letters. */
  isTyping: boolean;
  /** A dialog or a menu is open. */
  isBusy: boolean;
  /** The user has not turned '/' and '?' off. */
  hasSingleKeys: boolean;
}

/** Null: the key is not a shortcut here. A single key never is in a field, with a modifier or in a dialog. */
export function shortcutOf(pressed: PressedKey, situation: Situation): Shortcut | null {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = pressed;
  if (pressed.isComposing || pressed.repeat || altKey || situation.isBusy) return null;
  if (ctrlKey || metaKey) {
    // On a Mac, Ctrl+K deletes to the end of the line.
    const isMain = situation.isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey;
    return isMain && !shiftKey && key.toLowerCase() === 'k' ? 'palette' : null;
  }
  if (situation.isTyping || !situation.hasSingleKeys) return null;
  // Many keyboards need Shift for both.
  if (key === '/') return 'search';
  return key === '?' ? 'help' : null;
}
