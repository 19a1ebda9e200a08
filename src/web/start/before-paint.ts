import { COLOR_SCHEME_KEY, TOKEN_KEY } from '../storage-keys.ts';
import { lasting } from '../storage.ts';

// Runs in the head, before anything is painted, so that neither the wrong colours nor the wrong page flash up.
// The page's style sheet and its first script go by what is noted here.

const page = document.documentElement;

const wanted = lasting.read(COLOR_SCHEME_KEY);
const isDark =
  wanted === 'dark' || (wanted !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
page.dataset['mantineColorScheme'] = isDark ? 'dark' : 'light';

// The login comes back with the token in the address.
const arriving = new URLSearchParams(location.search).get('token') ?? '';
if (arriving !== '' || lasting.read(TOKEN_KEY) !== null) page.dataset['somebody'] = '';
