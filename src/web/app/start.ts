import './content-policy.ts';
import { handleMenus } from '../lib/native-menus.ts';
import { rememberWantedAddress } from '../lib/return-to.ts';
import { TOKEN_KEY, browserStorage } from '../lib/storage.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('the document has no element #root');

handleMenus();

if (root.dataset['prerendered'] !== undefined && document.documentElement.dataset['needsApp'] === undefined) {
  // The link of an email may have brought a user who is logged out; the prerendered link returns to plain home.
  rememberWantedAddress(window.location);
  // The landing page works without a script. It is left after a login in another tab, or when 'back' shows it.
  const leave = (): void => {
    if (browserStorage.read(TOKEN_KEY) !== null) window.location.reload();
  };
  window.addEventListener('storage', leave);
  window.addEventListener('pageshow', leave);
} else {
  // The script before the first paint tells the user when this fails.
  void import('./start-app.tsx').then(({ startApp }) => startApp(root));
}
