import './content-policy.ts';
import { sayCannotStart } from './cannot-start.ts';

const page = document.documentElement;
const root = document.getElementById('root');
if (root === null) throw new Error('the document has no element #root');

/** The landing page is there already and only has to come alive; for somebody with a session it was never shown. */
if (root.dataset['prerendered'] !== undefined && page.dataset['somebody'] === undefined) {
  void import('../landing/come-alive.ts').then(
    ({ comeAlive }) => comeAlive(root),
    // It can be read and left as it is.
    () => undefined,
  );
} else {
  void import('./start-app.tsx').then(
    ({ startApp }) => startApp(root),
    () => sayCannotStart(root),
  );
}
