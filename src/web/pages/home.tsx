import { Card, Container } from '@mantine/core';
import { useEffect } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { useAuth, useUser } from '../auth.tsx';
import { PagePlaceholder } from '../components/layout/page-placeholder.tsx';
import { SubscriptionFailure } from '../components/subscription-failure.tsx';
import { Dashboard } from './dashboard/dashboard.tsx';
import { Pricing } from './pricing/pricing.tsx';
import { useSubscription } from '../subscription.tsx';
import { LandingContent } from '../landing/landing-content.tsx';
import { useScrollToFragment } from '../hooks/use-scroll-to-fragment.ts';
import { nameTab } from '../browser/tab.ts';
import { wantsCampaigns } from './dashboard/list-address.ts';

/** One address for all: a subscriber sees their campaigns here. */
export function Home() {
  const { token, loading } = useAuth();
  if (token === null) return <Landing />;
  return loading ? <PagePlaceholder /> : <UserHome />;
}

/** Our own server has a separate document for the landing page, which needs no script. */
function Landing() {
  const { hash } = useLocation();
  useScrollToFragment(hash);
  useEffect(() => nameTab('Stop paying for Meta’s outages'), []);
  return <LandingContent />;
}

function UserHome() {
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
