import { chosenColorScheme, drawnColorScheme } from './color-scheme.ts';
import { COLOR_SCHEME_KEY, TOKEN_KEY } from '../browser/storage-keys.ts';
import { sayCannotStart } from './cannot-start.ts';

// Runs in the head before the first paint, so that neither wrong colours nor the wrong page flash up.
// The style sheet and the first script read the attributes set here.

const page = document.documentElement;

/** Reads like the app's storage, in less code. */
const stored = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

page.dataset['mantineColorScheme'] = drawnColorScheme(chosenColorScheme(stored(COLOR_SCHEME_KEY)));

// Login returns with the token in the address.
const isSignedIn = !!new URLSearchParams(location.search).get('token') || stored(TOKEN_KEY) !== null;
if (isSignedIn) page.dataset['signedIn'] = '';

/** With this cookie the server makes the landing page wait for this script. */
const leaveMark = (): void => {
  if (!isSignedIn && stored(COLOR_SCHEME_KEY) === null) return;
  const name = location.protocol === 'https:' ? '__Host-known=1;secure' : 'known=1';
  document.cookie = `${name};path=/;max-age=31536000;samesite=lax`;
};
leaveMark();
new MutationObserver(leaveMark).observe(page, { attributeFilter: ['data-mantine-color-scheme'] });

/** A request that is never answered does not fail either. */
const START_WITHIN_MS = 20_000;

const sayIfEmpty = (): void => {
  const root = document.getElementById('root');
  if (root === null) return;
  const isHidden = isSignedIn && root.dataset['prerendered'] !== undefined;
  if (root.childElementCount === 0 || isHidden) sayCannotStart(root);
};
setTimeout(sayIfEmpty, START_WITHIN_MS);
// The first script itself may be missing, as after a release.
addEventListener('error', ({ target }) => target instanceof HTMLScriptElement && sayIfEmpty(), true);
