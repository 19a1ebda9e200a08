interface Named {
  id: string;
  name: string;
  /** Of a campaign in a list of several ad accounts, where only names within one ad account need the id. */
  accountId?: string;
}

/** A search for fewer characters of an id would find too many. */
export const SEARCHED_ID_PART = 5;

export function idAfterName(id: string): string {
  return ` (${id})`;
}

/** Names for campaigns or ad accounts that are shown together: with the id where several have the same one. */
export function clearNames(all: readonly Named[]): (one: Named) => string {
  const keyOf = ({ name, accountId = '' }: Named) => `${accountId} ${name}`;
  const lastIds = new Map(all.map((one) => [keyOf(one), one.id]));
  const shared = new Set(all.filter((one) => lastIds.get(keyOf(one)) !== one.id).map(keyOf));
  return (one) => one.name + (shared.has(keyOf(one)) ? idAfterName(one.id) : '');
}

/** The same, in place of the names that Meta has. */
export function withClearNames<T extends Named>(all: readonly T[]): T[] {
  const nameOf = clearNames(all);
  return all.map((one) => {
    const name = nameOf(one);
    return name === one.name ? one : { ...one, name };
  });
}
