import { Card, Container, Text } from '@mantine/core';
import { Suspense, lazy, useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { useAuth, useUser } from '../auth.tsx';
import { PageHeading } from '../components/layout/page-heading.tsx';
import { PagePlaceholder } from '../components/layout/page-placeholder.tsx';
import { SubscriptionFailure } from '../components/subscription-failure.tsx';
import { useIsReachable } from '../api/connection.ts';
import { Dashboard } from './dashboard/dashboard.tsx';
import { Pricing } from './pricing/pricing.tsx';
import { isOwnServer } from '../api/session.ts';
import { useSubscription } from '../subscription.tsx';
import { wantsCampaigns } from './dashboard/list-address.ts';

/** Our own server has a separate document for the landing page. */
const LandingContent = lazy(async () => ({
  default: (await import('../landing/landing-content.tsx')).LandingContent,
}));

/** One address for all: a subscriber sees their campaigns here. */
export function Home() {
  const { token, loading } = useAuth();
  if (token === null) return isOwnServer() ? <ToLandingPage /> : <Landing />;
  return loading ? <PagePlaceholder /> : <UserHome />;
}

function Landing() {
  return (
    <Suspense fallback={<PagePlaceholder />}>
      <LandingContent />
    </Suspense>
  );
}

/** Our own server has a separate document for the landing page; another server may return this one. */
function ToLandingPage() {
  const isReachable = useIsReachable();
  useEffect(() => {
    // A failed navigation would show the browser's error page instead of ours.
    if (isReachable !== true) return;
    const { pathname, search, hash } = window.location;
    // A replaced address that differs only in its fragment loads no document.
    if (hash === '') window.location.replace(pathname + search);
    else window.location.reload();
  }, [isReachable]);
  if (isReachable !== false) return <PagePlaceholder />;
  return (
    <Container size="sm" py={96} ta="center">
      <PageHeading>You’re logged out</PageHeading>
      <Text c="dimmed" mt="sm">
        The home page loads as soon as SmartPause is reachable again.
      </Text>
    </Container>
  );
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
