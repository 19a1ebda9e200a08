import type { Campaign } from '#contract/shapes.ts';

/** Cached by the campaign object, which stays the same until its data changes. */
const foldedNames = new WeakMap<Campaign, string>();

/** Fewer digits match too many ids. */
const ID_PART = 5;

/** Every word must be in the name, or in the id if it is long enough. */
export function findByWords(campaigns: readonly Campaign[], words: readonly string[]): readonly Campaign[] {
  return campaigns.filter((campaign) => words.every((word) => isIn(campaign, word)));
}

function isIn(campaign: Campaign, word: string): boolean {
  return foldedName(campaign).includes(word) || (word.length >= ID_PART && campaign.id.includes(word));
}

function foldedName(campaign: Campaign): string {
  const known = foldedNames.get(campaign);
  if (known !== undefined) return known;
  const name = fold(campaign.name);
  foldedNames.set(campaign, name);
  return name;
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
