import { COLOR_SCHEME_KEY } from '../lib/storage-keys.ts';
import { lasting } from '../lib/storage.ts';

/** As Mantine reads it; any user of this browser may have written the value. */
export function chosenColorScheme(): 'light' | 'dark' | 'auto' {
  const stored = lasting.read(COLOR_SCHEME_KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'auto';
}

/** Sets the attribute that the style sheet reads, as Mantine does once it runs. */
export function drawColorScheme(): void {
  const chosen = chosenColorScheme();
  const isDark = chosen === 'auto' ? SYSTEM_IS_DARK.matches : chosen === 'dark';
  document.documentElement.dataset['mantineColorScheme'] = isDark ? 'dark' : 'light';
}

const SYSTEM_IS_DARK = matchMedia('(prefers-color-scheme: dark)');

/** The theme choice of the landing page, where no React runs; the page follows the system and other tabs. */
export function handleThemeChoice(): void {
  const show = (): void => {
    drawColorScheme();
    for (const choice of document.querySelectorAll<HTMLSelectElement>('[data-theme-choice]'))
      choice.value = chosenColorScheme();
  };
  show();
  SYSTEM_IS_DARK.addEventListener('change', show);
  window.addEventListener('storage', show);
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLSelectElement)) return;
    lasting.write(COLOR_SCHEME_KEY, target.value);
    show();
  });
}
