export interface LegalSection {
  heading: string;
  text: string[];
  /** A list below the text. */
  points?: string[];
  /** Text below the list. */
  after?: string;
}

/** Of both texts; update it with every change. */
export const LAST_CHANGED = 'November 27, 2026';

/** 'who-we-share-it-with': the fragment of the section. */
export function sectionId(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
