import './content-policy.ts';
import { handleMenus } from '../lib/native-menus.ts';
import { rememberWanted } from '../lib/return-to.ts';
import { TOKEN_KEY } from '../lib/storage-keys.ts';
import { lasting } from '../lib/storage.ts';
import { sayCannotStart } from './cannot-start.ts';

const page = document.documentElement;
const root = document.getElementById('root');
if (root === null) throw new Error('the document has no element #root');

handleMenus();

if (root.dataset['prerendered'] !== undefined && page.dataset['needsApp'] === undefined) {
  // The link of an email may have brought a user who is logged out; the prerendered link returns to plain home.
  rememberWanted(window.location);
  // The landing page works without a script. It is left after a login in another tab, or when 'back' shows it.
  const leave = (): void => {
    if (lasting.read(TOKEN_KEY) !== null) window.location.reload();
  };
  window.addEventListener('storage', leave);
  window.addEventListener('pageshow', leave);
} else {
  import('./start-app.tsx')
    .then(({ startApp }) => startApp(root))
    .catch((error: unknown) => {
      console.warn('Could not start:', error);
      sayCannotStart(root);
    });
}
