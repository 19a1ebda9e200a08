import { AuthProvider } from './auth.tsx';
import { Layout } from './components/layout/layout.tsx';
import { SubscriptionProvider } from './subscription.tsx';

/** What all pages share: the user, the subscription, header and footer. */
export function Shell() {
  return (
    <AuthProvider>
      <SubscriptionProvider>
        <Layout />
      </SubscriptionProvider>
    </AuthProvider>
  );
}
