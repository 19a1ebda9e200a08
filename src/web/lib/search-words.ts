import type { Campaign } from '#contract/shapes.ts';

/** Fewer digits match too many ids. */
const ID_PART = 5;

/** Every word must be in the name, or in the id if it is long enough. */
export function findByWords(campaigns: readonly Campaign[], words: readonly string[]): readonly Campaign[] {
  return campaigns.filter(({ id, name }) => {
    const folded = fold(name);
    return words.every((word) => folded.includes(word) || (word.length >= ID_PART && id.includes(word)));
  });
}

/** The words of a text as search compares them. */
export function wordsOf(text: string): string[] {
  return fold(text)
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** 'Ete' finds 'Été'. */
function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
