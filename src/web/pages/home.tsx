import { Card, Container } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { PagePlaceholder } from '../components/page-placeholder.tsx';
import { SubscriptionFailure } from '../components/subscription-failure.tsx';
import { useSession, useUser } from '../session.tsx';
import { useSubscription } from '../subscription.tsx';
import { Dashboard } from './dashboard/dashboard.tsx';
import { wantsCampaigns } from './dashboard/lapsed-address.ts';
import { Landing } from './landing.tsx';
import { Pricing } from './pricing/pricing.tsx';

/** The same address for everybody: who has a subscription finds their campaigns there. */
export function Home() {
  const session = useSession();
  switch (session.state) {
    case 'logged_out':
      return <Landing />;
    case 'loading':
      return <PagePlaceholder />;
    case 'logged_in':
      return <PersonsHome />;
  }
}

function PersonsHome() {
  const { hasActiveSubscription, isLoading, error } = useSubscription();
  const { isInitialized } = useUser();
  const [params] = useSearchParams();
  if (isLoading) return <PagePlaceholder />;
  if (hasActiveSubscription) return <Dashboard />;
  if (error === null) return isInitialized && wantsCampaigns(params) ? <Dashboard isLapsed /> : <Pricing />;
  return (
    <Container size="sm" py={64}>
      <Card>
        <SubscriptionFailure />
      </Card>
    </Container>
  );
}
