export interface LegalSection {
  heading: string;
  text: string[];
  /** Listed below the text. */
  points?: string[];
  /** Below the list. */
  after?: string;
}

/** Of either text; a change of the texts changes it. */
export const LAST_CHANGED = 'November 24, 2026';

/** 'who-we-share-it-with', by which an address names the section. */
export function sectionId(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
