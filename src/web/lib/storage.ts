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
export const browserStorage = safe(() => window.localStorage);
export const tabStorage = safe(() => window.sessionStorage);

const ACCOUNT_KEY = 'adAccount';

/** The ad account that this tab shows, else the one that the user chose last in any tab. */
export const account = {
  read: () => tabStorage.read(ACCOUNT_KEY) ?? browserStorage.read(ACCOUNT_KEY),
  show: (id: string) => tabStorage.write(ACCOUNT_KEY, id),
  choose: (id: string) => browserStorage.write(ACCOUNT_KEY, id),
  forget: () => [tabStorage, browserStorage].forEach(({ drop }) => drop(ACCOUNT_KEY)),
};
