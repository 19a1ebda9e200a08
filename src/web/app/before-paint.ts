import { chosenColorScheme, drawnColorScheme } from './color-scheme.ts';
import { COLOR_SCHEME_KEY, TOKEN_KEY } from '../lib/storage-keys.ts';
import { sayCannotStart } from './cannot-start.ts';

// The build puts this into the head of every document, so that neither wrong colours nor the wrong page flash up.
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

// Login returns with the token or with the code of a banner in the address.
const params = new URLSearchParams(location.search);
const needsApp = !!params.get('token') || !!params.get('error') || stored(TOKEN_KEY) !== null;
if (needsApp) page.dataset['needsApp'] = '';

/** A request that is never answered does not fail either. */
const START_WITHIN_MS = 20_000;

const sayIfEmpty = (): void => {
  const root = document.getElementById('root');
  if (root === null) return;
  const isHidden = needsApp && root.dataset['prerendered'] !== undefined;
  if (root.childElementCount === 0 || isHidden) sayCannotStart(root);
};
setTimeout(sayIfEmpty, START_WITHIN_MS);
// The first script itself may be missing, as after a release.
addEventListener('error', ({ target }) => target instanceof HTMLScriptElement && sayIfEmpty(), true);
