export interface Kept {
  read: (key: string) => string | null;
  write: (key: string, value: string) => void;
  drop: (key: string) => void;
}

/**
 * The browser's storage. When the browser refuses a write or a removal,
 * the value in memory takes precedence while the page is open.
 */
function kept(storage: () => Storage): Kept {
  const here = new Map<string, string | null>();
  const change = (key: string, value: string | null, act: (there: Storage) => void): void => {
    try {
      act(storage());
      here.delete(key);
    } catch {
      here.set(key, value);
    }
  };
  return {
    read: (key) => {
      const refused = here.get(key);
      if (refused !== undefined) return refused;
      try {
        return storage().getItem(key);
      } catch {
        return null;
      }
    },
    write: (key, value) => change(key, value, (there) => there.setItem(key, value)),
    drop: (key) => change(key, null, (there) => there.removeItem(key)),
  };
}

/** Shared by all tabs, and kept for the next visit. */
export const lasting = kept(() => window.localStorage);
export const ofThisTab = kept(() => window.sessionStorage);
