import { Button, Container, Group, Loader, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';
import { fullTime } from '#core/new-york.ts';
import { PagePlaceholder } from '../../components/page-placeholder.tsx';
import { reasonOr } from '../../call.ts';
import { loginAddress, useSession, useUser } from '../../session.tsx';
import { useActivation } from '../../subscription-queries.ts';
import { useSubscription } from '../../subscription.tsx';
import { shownSessionId } from './session-id.ts';

/** Where the checkout leads to. Being here proves nothing: the payment provider is asked. */
export function CheckoutDone() {
  const session = useSession();
  switch (session.state) {
    case 'loading':
      return <PagePlaceholder />;
    case 'logged_out':
      return <LoggedOut />;
    case 'logged_in':
      return <Activation />;
  }
}

function Activation() {
  const { data, error, hasGivenUp, askAgain } = useActivation();
  if (data?.hasActiveSubscription === true) return <Active />;
  if (!hasGivenUp) {
    return (
      <Page title="Confirming your subscription">
        <Group justify="center" gap="sm" role="status">
          <Loader size="sm" />
          <Text>
            {data === undefined ? 'Asking our payment provider…' : 'Still waiting for our payment provider…'}
          </Text>
        </Group>
      </Page>
    );
  }
  return (
    <Page title="Not confirmed yet">
      <Text c="dimmed" mb="xl" role="alert">
        {error === null
          ? 'Our payment provider does not know of a subscription of yours yet. If you have just paid, it will be here in a few minutes; you need not stay.'
          : reasonOr('We cannot be reached right now.', error)}
      </Text>
      <Group justify="center">
        <Button onClick={askAgain}>Check again</Button>
        <Button component={Link} to="/settings#billing" variant="default">
          Go to Billing
        </Button>
      </Group>
    </Page>
  );
}

function Active() {
  const { isInitialized } = useUser();
  const { isOnTrial, subscription } = useSubscription();
  const end = subscription === null ? null : fullTime(subscription.trialEnd ?? subscription.currentPeriodEnd);
  return (
    <Page title={isOnTrial ? 'Your free trial has begun' : 'Your subscription is active'}>
      <Text c="dimmed" mb="xl" role="status">
        {isOnTrial && end !== null && `You pay nothing until ${end}. `}
        {isInitialized
          ? 'SmartPause looks after the campaigns you switched it on for.'
          : 'One thing is left: tell SmartPause when to act and where to write to you.'}
      </Text>
      <Group justify="center">
        <Button component={Link} to={isInitialized ? '/' : '/settings'}>
          {isInitialized ? 'Go to Dashboard' : 'Complete Setup in Settings'}
        </Button>
        {!isInitialized && (
          <Button component={Link} to="/" variant="default">
            Go to Dashboard
          </Button>
        )}
      </Group>
    </Page>
  );
}

function LoggedOut() {
  const { pathname, search } = useLocation();
  return (
    <Page title="Log in to see your subscription">
      <Text c="dimmed" mb="xl">
        Your session has ended meanwhile. What you have paid for is not lost.
      </Text>
      <Button component="a" href={loginAddress(pathname + search)}>
        Log In
      </Button>
    </Page>
  );
}

function Page({ title, children }: { title: string; children: ReactNode }) {
  const [params] = useSearchParams();
  const sessionId = shownSessionId(params);
  return (
    <Container size="sm" py={96} ta="center">
      <Title order={1} mb="sm">
        {title}
      </Title>
      {children}
      {sessionId !== null && (
        <Text fz="xs" c="dimmed" mt="xl" style={{ overflowWrap: 'anywhere' }}>
          Checkout session: {sessionId}
        </Text>
      )}
    </Container>
  );
}
