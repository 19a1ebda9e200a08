import './content-policy.ts';
import { sayCannotStart } from './cannot-start.ts';

const page = document.documentElement;
const root = document.getElementById('root');
if (root === null) throw new Error('the document has no element #root');

/** A prerendered landing page only needs its script; users with a session get the app. */
if (root.dataset['prerendered'] !== undefined && page.dataset['signedIn'] === undefined) {
  void import('../landing/come-alive.ts').then(
    ({ comeAlive }) => comeAlive(root),
    // The page stays readable without the script.
    () => undefined,
  );
} else {
  import('./start-app.tsx')
    .then(({ startApp }) => startApp(root))
    .catch((error: unknown) => {
      console.warn('Could not start:', error);
      sayCannotStart(root);
    });
}
