import { PagePlaceholder } from '../components/page-placeholder.tsx';
import { useSession } from '../session.tsx';
import { Dashboard } from './dashboard/dashboard.tsx';
import { Landing } from './landing.tsx';

/** The same address for everybody: who is logged in finds their campaigns there. */
export function Home() {
  const session = useSession();
  switch (session.state) {
    case 'logged_out':
      return <Landing />;
    case 'loading':
      return <PagePlaceholder />;
    case 'logged_in':
      return <Dashboard />;
  }
}
