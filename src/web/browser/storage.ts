export interface Kept {
  read: (key: string) => string | null;
  write: (key: string, value: string) => void;
  drop: (key: string) => void;
}

/**
 * What the browser keeps for us. One that refuses is served all the same, for as long as the page is open: what it
 * refused to keep, or to drop, counts before what it has.
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

/** For every tab, and the next time. */
export const lasting = kept(() => window.localStorage);
export const ofThisTab = kept(() => window.sessionStorage);
