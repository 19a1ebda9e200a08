import high from './favicon-high.svg';
import low from './favicon-low.svg';
import medium from './favicon-medium.svg';
import { warnInTab } from '../../lib/tab.ts';

const ICONS = { LOW_DISRUPTION: low, MEDIUM_DISRUPTION: medium, HIGH_DISRUPTION: high };

/** Shows a disruption in the title and the icon of the browser's tab. @returns removes it */
export function markTab(level: keyof typeof ICONS, words: string): () => void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  const before = icon?.getAttribute('href');
  warnInTab(words);
  icon?.setAttribute('href', ICONS[level]);
  return () => {
    warnInTab(null);
    if (before != null) icon?.setAttribute('href', before);
  };
}
