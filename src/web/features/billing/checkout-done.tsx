import { Box, Button, Group, Loader, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { errorMessage } from '../../lib/api-client.ts';
import { useActivation } from './api.ts';
import { useAuth, useUser } from '../auth/auth-provider.tsx';
import { loginAddress } from '../../lib/return-to.ts';
import { OutcomeNotice } from '../../components/outcome-notice.tsx';
import { PagePlaceholder } from '../../components/page-placeholder.tsx';
import { LinkButton } from '../../components/links.ts';
import { MessagePage } from '../../components/message-page.tsx';
import { useNow } from '../../lib/use-now.ts';
import { useSubscription } from './subscription-provider.tsx';
import { SmartPauseSettings } from '../settings/smart-pause-settings.tsx';
import type { DoneCopy } from './checkout-copy.ts';
import { doneCopy, shownSessionId } from './checkout-copy.ts';

/** The success page of the checkout. The address proves nothing, so the page asks the payment provider. */
export function CheckoutDone() {
  const { token, loading } = useAuth();
  if (token === null) return <LoggedOut />;
  return loading ? <PagePlaceholder /> : <Activation />;
}

function Activation() {
  const { data, error, hasTimedOut, askAgain } = useActivation();
  const { subscription } = useSubscription();
  const copy = doneCopy(subscription, useNow());
  if (data !== undefined && copy !== null) return <Done {...copy} />;
  if (!hasTimedOut) {
    return (
      <Page title="Confirming your subscription">
        <Group justify="center" gap="sm" role="status">
          <Loader size="sm" />
          <Text>{data === undefined ? 'Checking with Stripe…' : 'Still waiting for Stripe…'}</Text>
        </Group>
      </Page>
    );
  }
  return (
    <Page title="Not confirmed yet">
      <Text c="dimmed" mb="xl" role="alert">
        {error === null
          ? 'Stripe hasn’t confirmed your payment yet. It can take a few minutes. You can close this page.'
          : errorMessage('Can’t reach SmartPause.', error)}
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

const INITIALIZED = {
  ok: true,
  text: 'Account initialized successfully!',
  reason: 'Last step: choose the campaigns to protect.',
};

function Done({ title, text, next }: DoneCopy) {
  const { isInitialized } = useUser();
  const [wasInitialized] = useState(isInitialized);
  const isFailing = next === 'billing';
  const hasSetup = !isFailing && !wasInitialized;
  if (hasSetup && isInitialized) {
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
          {isFailing ? 'Return home' : 'Go to campaigns'}
        </LinkButton>
      </Group>
    </Page>
  );
}

function LoggedOut() {
  const { pathname, search } = useLocation();
  return (
    <Page title="Log in to see your subscription">
      <Text c="dimmed" mb="xl">
        You were logged out. Your payment isn’t affected.
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
    <MessagePage title={title}>
      {children}
      {sessionId !== null && (
        <Text fz="xs" c="dimmed" mt="xl" style={{ overflowWrap: 'anywhere' }}>
          Checkout session: {sessionId}
        </Text>
      )}
    </MessagePage>
  );
}
