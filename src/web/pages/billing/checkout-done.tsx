import { Button, Container, Group, Loader, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';
import { useAuth, useUser } from '../../auth.tsx';
import { PageHeading } from '../../components/layout/page-heading.tsx';
import { PagePlaceholder } from '../../components/layout/page-placeholder.tsx';
import { reasonOr } from '../../api/call.ts';
import { loginAddress } from '../../browser/return-to.ts';
import { useActivation } from '../../api/subscription-queries.ts';
import { useSubscription } from '../../subscription.tsx';
import { useNow } from '../../hooks/use-now.ts';
import type { DoneWords } from './checkout-words.ts';
import { doneWords } from './checkout-words.ts';
import { shownSessionId } from './session-id.ts';

/** Where the checkout leads to. Being here proves nothing: the payment provider is asked. */
export function CheckoutDone() {
  const { token, loading } = useAuth();
  if (token === null) return <LoggedOut />;
  return loading ? <PagePlaceholder /> : <Activation />;
}

function Activation() {
  const { data, error, hasGivenUp, askAgain } = useActivation();
  const { subscription } = useSubscription();
  const words = doneWords(subscription, useNow());
  if (data !== undefined && words !== null) return <Done {...words} />;
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
          ? 'Our payment provider has not confirmed an active subscription of yours yet. If you have just paid, it will be here in a few minutes; you need not stay.'
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

function Done({ title, text, next }: DoneWords) {
  const { isInitialized } = useUser();
  const isTrouble = next === 'billing';
  return (
    <Page title={title}>
      <Text c="dimmed" mb="xl" role="status">
        {text}
        {!isTrouble &&
          (isInitialized
            ? ' SmartPause looks after the campaigns you switched it on for.'
            : ' One thing is left: tell SmartPause when to act and where to write to you.')}
      </Text>
      <Group justify="center">
        {isTrouble && (
          <Button component={Link} to="/settings#billing">
            Go to Billing
          </Button>
        )}
        {!isTrouble && !isInitialized && (
          <Button component={Link} to="/settings">
            Complete Setup in Settings
          </Button>
        )}
        <Button component={Link} to="/" {...((isTrouble || !isInitialized) && { variant: 'default' })}>
          {isTrouble ? 'Return home' : 'Go to Dashboard'}
        </Button>
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
      <PageHeading mb="sm">{title}</PageHeading>
      {children}
      {sessionId !== null && (
        <Text fz="xs" c="dimmed" mt="xl" style={{ overflowWrap: 'anywhere' }}>
          Checkout session: {sessionId}
        </Text>
      )}
    </Container>
  );
}
