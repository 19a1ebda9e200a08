export const TOKEN_KEY = 'authToken';

/** Mantine's key: 'light', 'dark' or 'auto'. */
export const COLOR_SCHEME_KEY = 'mantine-color-scheme-value';

/** Reads nothing and stores nothing where the browser refuses its storage. */
function safe(storage: () => Storage) {
  const attempt = <Result>(act: (there: Storage) => Result): Result | null => {
    try {
      return act(storage());
    } catch {
      return null;
    }
  };
  return {
    read: (key: string) => attempt((there) => there.getItem(key)),
    write: (key: string, value: string) => void attempt((there) => there.setItem(key, value)),
    drop: (key: string) => void attempt((there) => there.removeItem(key)),
  };
}

/** Shared by all tabs, and kept for the next visit. */
export const lasting = safe(() => window.localStorage);
export const ofThisTab = safe(() => window.sessionStorage);
