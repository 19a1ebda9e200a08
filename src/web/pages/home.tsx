import { Card, Container, Text } from '@mantine/core';
import { lazy, useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { useAuth, useUser } from '../auth.tsx';
import { PageHeading } from '../components/layout/page-heading.tsx';
import { PagePlaceholder } from '../components/layout/page-placeholder.tsx';
import { SubscriptionFailure } from '../components/subscription-failure.tsx';
import { isReachable, onConnection, useConnection } from '../api/connection.ts';
import { lazyPart } from '../browser/lazy-part.ts';
import { isOwnServer } from '../api/own-server.ts';
import { useSubscription } from '../subscription.tsx';
import { wantsCampaigns } from './dashboard/lapsed-address.ts';

const Dashboard = lazyPart(async () => (await import('./dashboard/dashboard.tsx')).Dashboard);
/** Not loaded when idle, as other parts are: our own server has a document for it. */
const LandingContent = lazy(async () => ({
  default: (await import('../landing/landing-content.tsx')).LandingContent,
}));
const Pricing = lazyPart(async () => (await import('./pricing/pricing.tsx')).Pricing);

/** The same address for everybody: who has a subscription finds their campaigns there. */
export function Home() {
  const { token, loading } = useAuth();
  if (token === null) return isOwnServer() ? <ToLandingPage /> : <LandingContent />;
  return loading ? <WhileLoading /> : <PersonsHome />;
}

/** Our own server answers this address with the landing page, a document of its own; another may answer with this one. */
function ToLandingPage() {
  const connection = useConnection();
  useEffect(() => {
    let isAway = false;
    const go = () => {
      const { pathname, search, hash } = window.location;
      if (isAway) return;
      // A replaced address that differs in its fragment only loads no document.
      if (hash === '') window.location.replace(pathname + search);
      else window.location.reload();
    };
    // A document that cannot be fetched would be the browser's own page, and none of ours.
    void isReachable().then((isReached) => isReached && go());
    const stop = onConnection(go);
    // Whoever has pressed Log In meanwhile is on the way, and is not called back.
    const onLeaving = (): void => void (isAway = true);
    window.addEventListener('beforeunload', onLeaving);
    return () => {
      isAway = true;
      stop();
      window.removeEventListener('beforeunload', onLeaving);
    };
  }, []);
  if (connection === 'fine') return <PagePlaceholder />;
  return (
    <Container size="sm" py={96} ta="center">
      <PageHeading>You are logged out</PageHeading>
      <Text c="dimmed" mt="sm">
        The home page comes by itself as soon as SmartPause can be reached again.
      </Text>
    </Container>
  );
}

/** Most who have a session have campaigns, so their page is fetched while we ask who they are. */
function WhileLoading() {
  useEffect(() => Dashboard.preload(), []);
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
