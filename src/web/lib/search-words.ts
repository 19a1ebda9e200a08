/** Fewer digits match too many ids. */
const ID_PART = 5;

/** Every word of the text must be in the name, or in the id if it is long enough. */
export function findByWords<T extends { id: string; name: string }>(
  all: readonly T[],
  text: string,
): readonly T[] {
  const words = fold(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return all;
  return all.filter(({ id, name }) => {
    const folded = fold(name);
    return words.every((word) => folded.includes(word) || (word.length >= ID_PART && id.includes(word)));
  });
}

/** 'Ete' finds 'Été'. */
function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
