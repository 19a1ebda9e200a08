/** Storage keys. The script before the first paint imports them too, so this module stays small. */
export const TOKEN_KEY = 'authToken';

/** Mantine's key: 'light', 'dark' or 'auto'. */
export const COLOR_SCHEME_KEY = 'mantine-color-scheme-value';
