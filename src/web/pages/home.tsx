import { Card, Container } from '@mantine/core';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { PagePlaceholder } from '../components/page-placeholder.tsx';
import { SubscriptionFailure } from '../components/subscription-failure.tsx';
import { lazyPart } from '../lazy-part.ts';
import { useSession, useUser } from '../session.tsx';
import { useSubscription } from '../subscription.tsx';
import { wantsCampaigns } from './dashboard/lapsed-address.ts';

const loadDashboard = async () => (await import('./dashboard/dashboard.tsx')).Dashboard;
const Dashboard = lazyPart(loadDashboard);
const Pricing = lazyPart(async () => (await import('./pricing/pricing.tsx')).Pricing);

/** The same address for everybody: who has a subscription finds their campaigns there. */
export function Home() {
  const session = useSession();
  switch (session.state) {
    case 'logged_out':
      return <ToLandingPage />;
    case 'loading':
      return <WhileLoading />;
    case 'logged_in':
      return <PersonsHome />;
  }
}

/** The landing page is a document of its own, which the server has for everybody who comes to this address. */
function ToLandingPage() {
  useEffect(() => {
    const { pathname, search } = window.location;
    window.location.replace(pathname + search);
  }, []);
  return <PagePlaceholder />;
}

/** Most who have a session have campaigns, so their page is fetched while we ask who they are. */
function WhileLoading() {
  useEffect(() => void loadDashboard().catch(() => undefined), []);
  return <PagePlaceholder />;
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
