import { Box, Button, Container, Group, Loader, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { useAuth, useUser } from '../../auth.tsx';
import { PageHeading } from '../../components/layout/page-heading.tsx';
import { PagePlaceholder } from '../../components/layout/page-placeholder.tsx';
import { reasonOr } from '../../api/call.ts';
import { loginAddress } from '../../browser/return-to.ts';
import { useActivation } from '../../api/subscription-queries.ts';
import { useSubscription } from '../../subscription.tsx';
import { useNow } from '../../hooks/use-now.ts';
import type { DoneCopy } from './checkout-copy.ts';
import { doneCopy } from './checkout-copy.ts';
import { shownSessionId } from './session-id.ts';
import { LinkButton } from '../../components/links.ts';
import { OutcomeNotice } from '../../components/banners/outcome-notice.tsx';
import { SmartPauseSettings } from '../settings/smart-pause-settings.tsx';

/** The success page of the checkout. The address proves nothing, so the page asks the payment provider. */
export function CheckoutDone() {
  const { token, loading } = useAuth();
  if (token === null) return <LoggedOut />;
  return loading ? <PagePlaceholder /> : <Activation />;
}

function Activation() {
  const { data, error, hasTimedOut, askAgain } = useActivation();
  const { subscription } = useSubscription();
  const words = doneCopy(subscription, useNow());
  if (data !== undefined && words !== null) return <Done {...words} />;
  if (!hasTimedOut) {
    return (
      <Page title="Confirming your subscription">
        <Group justify="center" gap="sm" role="status">
          <Loader size="sm" />
          <Text>
            {data === undefined
              ? 'Checking with our payment provider…'
              : 'Still waiting for our payment provider…'}
          </Text>
        </Group>
      </Page>
    );
  }
  return (
    <Page title="Not confirmed yet">
      <Text c="dimmed" mb="xl" role="alert">
        {error === null
          ? 'Our payment provider hasn’t confirmed an active subscription yet. If you just paid, it appears here in a few minutes. You don’t have to wait.'
          : reasonOr('We can’t be reached right now.', error)}
      </Text>
      <Group justify="center">
        <Button onClick={askAgain}>Check again</Button>
        <LinkButton to="/settings#billing" variant="default">
          Go to Billing
        </LinkButton>
      </Group>
    </Page>
  );
}

function Done({ title, text, next }: DoneCopy) {
  const { isInitialized } = useUser();
  const [wasInitialized] = useState(isInitialized);
  const isFailing = next === 'billing';
  const hasSetup = !isFailing && !wasInitialized;
  if (hasSetup && isInitialized) return <LastStep title={title} />;
  return (
    <Page title={title}>
      <Text c="dimmed" mb="xl" role="status">
        {text}
        {!isFailing && !hasSetup && ' SmartPause protects the campaigns you turned it on for.'}
      </Text>
      {hasSetup && (
        <Box ta="left" mb="xl">
          <SmartPauseSettings />
        </Box>
      )}
      <Group justify="center">
        {isFailing && <LinkButton to="/settings#billing">Go to Billing</LinkButton>}
        <LinkButton to="/" {...((isFailing || hasSetup) && { variant: 'default' })}>
          {isFailing ? 'Return home' : 'Go to Dashboard'}
        </LinkButton>
      </Group>
    </Page>
  );
}

const INITIALIZED = {
  ok: true,
  text: 'Account initialized successfully!',
  reason: 'Last step: choose the campaigns to protect.',
};

/** The campaigns are chosen on the dashboard. */
function LastStep({ title }: { title: string }) {
  return (
    <Page title={title}>
      <OutcomeNotice outcome={INITIALIZED} />
      {/* The form that had the focus is gone. */}
      <LinkButton to="/" mt="xl" autoFocus>
        Choose campaigns
      </LinkButton>
    </Page>
  );
}

function LoggedOut() {
  const { pathname, search } = useLocation();
  return (
    <Page title="Log in to see your subscription">
      <Text c="dimmed" mb="xl">
        Your session has expired. Your payment is safe.
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
