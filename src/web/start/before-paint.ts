import { chosenColorScheme, drawnColorScheme } from './color-scheme.ts';
import { COLOR_SCHEME_KEY, TOKEN_KEY } from '../browser/storage-keys.ts';

// Runs in the head, before anything is painted, so that neither the wrong colours nor the wrong page flash up.
// The page's style sheet and its first script go by what is noted here.

const page = document.documentElement;

/** As the app's own storage reads it, and smaller. */
const stored = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

page.dataset['mantineColorScheme'] = drawnColorScheme(chosenColorScheme(stored(COLOR_SCHEME_KEY)));

// The login comes back with the token in the address.
const isSomebody = !!new URLSearchParams(location.search).get('token') || stored(TOKEN_KEY) !== null;
if (isSomebody) page.dataset['somebody'] = '';

/** By it the server lets the landing page wait for this script, as it does not for a browser that has stored nothing. */
const leaveMark = (): void => {
  if (!isSomebody && stored(COLOR_SCHEME_KEY) === null) return;
  const name = location.protocol === 'https:' ? '__Host-known=1;secure' : 'known=1';
  document.cookie = `${name};path=/;max-age=31536000;samesite=lax`;
};
leaveMark();
new MutationObserver(leaveMark).observe(page, { attributeFilter: ['data-mantine-color-scheme'] });
