export interface Kept {
  read: (key: string) => string | null;
  write: (key: string, value: string) => void;
  drop: (key: string) => void;
}

/** What the browser keeps for us. One that refuses is served all the same, for as long as the page is open. */
function kept(storage: () => Storage): Kept {
  const here = new Map<string, string>();
  const tried = <T>(act: (storage: Storage) => T, otherwise: () => T): T => {
    try {
      return act(storage());
    } catch {
      return otherwise();
    }
  };
  return {
    read: (key) =>
      tried(
        (there) => there.getItem(key),
        () => here.get(key) ?? null,
      ),
    write: (key, value) =>
      tried(
        (there) => there.setItem(key, value),
        () => void here.set(key, value),
      ),
    drop: (key) =>
      tried(
        (there) => there.removeItem(key),
        () => void here.delete(key),
      ),
  };
}

/** For every tab, and the next time. */
export const lasting = kept(() => window.localStorage);
export const ofThisTab = kept(() => window.sessionStorage);
