import { SEARCHED_ID_PART, idAfterName } from '#core/clear-names.ts';

/** Every word of the text must be in the name that Meta has, or in the id if it is long enough. */
export function findByWords<T extends { id: string; name: string }>(
  all: readonly T[],
  text: string,
): readonly T[] {
  const words = fold(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return all;
  return all.filter(({ id, name }) => {
    const shownId = idAfterName(id);
    const folded = fold(name.endsWith(shownId) ? name.slice(0, -shownId.length) : name);
    return words.every(
      (word) => folded.includes(word) || (word.length >= SEARCHED_ID_PART && shownId.includes(word)),
    );
  });
}

/** 'Ete' finds 'Été'. */
function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
