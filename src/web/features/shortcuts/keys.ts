export const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The keys of the palette, for `aria-keyshortcuts`. */
export const PALETTE_KEYS = IS_MAC ? 'Meta+K' : 'Control+K';
export const PALETTE_LABEL = IS_MAC ? '⌘ K' : 'Ctrl K';
