import { COLOR_SCHEME_KEY, TOKEN_KEY, browserStorage } from '../lib/storage.ts';

// The build puts this into the head of every document, so that neither wrong colours nor the wrong page flash up.
// The style sheet and the first script read the attributes set here.

const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
const drawColorScheme = (event?: Event): void => {
  const chosen = browserStorage.read(COLOR_SCHEME_KEY);
  const isChosen = chosen === 'dark' || (chosen !== 'light' && systemIsDark.matches);
  // Browsers print no dark background, and light text on paper cannot be read.
  const isDark = isChosen && event?.type !== 'beforeprint';
  document.documentElement.dataset['mantineColorScheme'] = isDark ? 'dark' : 'light';
};
drawColorScheme();
systemIsDark.addEventListener('change', drawColorScheme);
addEventListener('beforeprint', drawColorScheme);
addEventListener('afterprint', drawColorScheme);

// Login returns with the token or with the code of a banner in the address.
const params = new URLSearchParams(location.search);
const needsApp = !!params.get('token') || !!params.get('error') || browserStorage.read(TOKEN_KEY) !== null;
if (needsApp) document.documentElement.dataset['needsApp'] = '';

/** A request that is never answered does not fail either. */
const START_WITHIN_MS = 20_000;

/** Replaces an empty page when the app cannot load; no components are available here. */
function sayIfEmpty(): void {
  const root = document.getElementById('root');
  if (root === null) return;
  const isHidden = needsApp && root.dataset['prerendered'] !== undefined;
  if (root.childElementCount > 0 && !isHidden) return;
  const add = (name: string, textContent: string, parent: Element): HTMLElement =>
    parent.appendChild(Object.assign(document.createElement(name), { textContent }));
  root.replaceChildren();
  delete root.dataset['prerendered'];
  const page = add('main', '', root);
  page.role = 'alert';
  page.className = 'cannot-start';
  add('h1', 'SmartPause couldn’t be loaded', page);
  add('p', 'Please check your connection and try again.', page);
  add('button', 'Try again', page).onclick = () => window.location.reload();
}
setTimeout(sayIfEmpty, START_WITHIN_MS);
// A script may be missing, as after a release: the first one, or one that it imports.
addEventListener('error', ({ target }) => target instanceof HTMLScriptElement && sayIfEmpty(), true);
addEventListener('unhandledrejection', sayIfEmpty);
