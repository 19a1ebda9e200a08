import { AuthProvider } from '../features/auth/auth-provider.tsx';
import { Layout } from '../layout/layout.tsx';
import { SubscriptionProvider } from '../features/billing/subscription-provider.tsx';

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
