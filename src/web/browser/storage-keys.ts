/** What the browser keeps for us, by name: also read before the page is painted, where nothing big may be loaded. */
export const TOKEN_KEY = 'authToken';

/** Mantine's own: 'light', 'dark' or 'auto'. */
export const COLOR_SCHEME_KEY = 'mantine-color-scheme-value';
