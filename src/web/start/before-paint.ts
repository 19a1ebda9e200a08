import { COLOR_SCHEME_KEY, TOKEN_KEY } from '../storage-keys.ts';

// Runs in the head, before anything is painted, so that neither the wrong colours nor the wrong page flash up.
// The page's style sheet and its first script go by what is noted here.

const page = document.documentElement;

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // A browser that keeps nothing is that of a visitor.
    return null;
  }
}

const wanted = read(COLOR_SCHEME_KEY);
const isDark =
  wanted === 'dark' || (wanted !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
page.dataset['mantineColorScheme'] = isDark ? 'dark' : 'light';

// The login comes back with the token in the address.
const arriving = new URLSearchParams(location.search).get('token') ?? '';
if (arriving !== '' || read(TOKEN_KEY) !== null) page.dataset['somebody'] = '';
