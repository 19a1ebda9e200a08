import { Alert, Box, Button, Group, Loader, Text } from '@mantine/core';
import { useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import type { Subscription } from '#core/billing/subscription.ts';
import { LinkButton } from '../../components/links.ts';
import { MessagePage } from '../../components/message-page.tsx';
import { Muted } from '../../components/muted.ts';
import { PagePlaceholder } from '../../components/page-placeholder.tsx';
import { errorMessage } from '../../lib/api-client.ts';
import { loginAddress } from '../../lib/return-to.ts';
import { useNow } from '../../lib/use-now.ts';
import { useAuth, useUser } from '../auth/auth-provider.tsx';
import { SmartPauseSettings } from '../settings/smart-pause-settings.tsx';
import { useActivation } from './api.ts';
import { doneTitle, nextStep, shownSessionId, subscriptionText } from './billing-copy.ts';
import { BILLING_SETTINGS, paymentAddress, readCycle } from './plan-copy.ts';
import { useSubscription } from './subscription-provider.tsx';

/** The success page of the checkout. The address proves nothing, so the page asks the payment provider. */
export function CheckoutDone() {
  const { token, loading } = useAuth();
  const { pathname, search } = useLocation();
  if (token !== null) return loading ? <PagePlaceholder /> : <Activation />;
  return (
    <MessagePage
      title="Log in to see your subscription"
      text="You were logged out. Your payment isn’t affected."
    >
      <Button component="a" href={loginAddress(pathname + search)}>
        Log In
      </Button>
      <SessionId />
    </MessagePage>
  );
}

function Activation() {
  const { data, error, isLate } = useActivation();
  const { subscription } = useSubscription();
  const title = doneTitle(subscription, useNow());
  if (data !== undefined && subscription !== null && title !== null)
    return <Done {...{ subscription, title }} />;
  if (!isLate) {
    return (
      <MessagePage title="Confirming your subscription">
        <Group gap="sm" role="status">
          <Loader size="sm" />
          <Text>{data === undefined ? 'Checking with Stripe…' : 'Still waiting for Stripe…'}</Text>
        </Group>
        <SessionId />
      </MessagePage>
    );
  }
  const why =
    error === null
      ? 'Stripe hasn’t confirmed your payment yet. It can take a few minutes. This page checks again by itself; you can close it.'
      : errorMessage('Can’t reach SmartPause. This page tries again by itself.', error);
  return (
    <MessagePage title="Not confirmed yet" text={why} role="alert">
      <LinkButton to={BILLING_SETTINGS} variant="default">
        Go to Billing
      </LinkButton>
      <SessionId />
    </MessagePage>
  );
}

function Done({ subscription, title }: { subscription: Subscription; title: string }) {
  const { isInitialized } = useUser();
  const [wasInitialized] = useState(isInitialized);
  const now = useNow();
  const text = subscriptionText(subscription, now);
  if (nextStep(subscription, now) === 'billing') {
    return (
      <MessagePage title={title} text={text} role="status">
        <LinkButton to={BILLING_SETTINGS}>Go to Billing</LinkButton>
        <LinkButton to="/" variant="default">
          Return home
        </LinkButton>
        <SessionId />
      </MessagePage>
    );
  }
  const isNew = isInitialized && !wasInitialized;
  const protects = wasInitialized ? ' SmartPause protects the campaigns you turned it on for.' : '';
  return (
    <MessagePage title={title} {...(!isNew && { text: text + protects, role: 'status' })}>
      {isNew && (
        <Alert w="100%" color="green" role="status" title="Account initialized successfully!">
          Last step: choose the campaigns to protect.
        </Alert>
      )}
      {!isInitialized && (
        <Box w="100%" ta="left">
          <SmartPauseSettings />
        </Box>
      )}
      {/* The form that had the focus is gone. */}
      <LinkButton to="/" autoFocus={isNew} {...(!isInitialized && { variant: 'default' })}>
        {isNew ? 'Choose campaigns' : 'Go to campaigns'}
      </LinkButton>
      {!isNew && <SessionId />}
    </MessagePage>
  );
}

/** For questions about the payment. */
function SessionId() {
  const [params] = useSearchParams();
  const sessionId = shownSessionId(params);
  if (sessionId === null) return null;
  return (
    <Muted w="100%" fz="xs" mt="md" style={{ overflowWrap: 'anywhere' }}>
      Checkout session: {sessionId}
    </Muted>
  );
}

/** The cancel page of the checkout. The user may have a subscription all the same. */
export function CheckoutCanceled() {
  const { loading } = useAuth();
  const [params] = useSearchParams();
  const { subscription, isLoading } = useSubscription();
  const now = useNow();
  const next = nextStep(subscription, now);
  if (loading || isLoading) return <PagePlaceholder />;
  return (
    <MessagePage
      title="Payment canceled"
      text={`You left checkout before paying. You weren’t charged.${subscription === null ? '' : ` ${subscriptionText(subscription, now)}`}`}
    >
      {next === 'plans' && <LinkButton to={paymentAddress(readCycle(params))}>See plans</LinkButton>}
      {next === 'billing' && <LinkButton to={BILLING_SETTINGS}>Go to Billing</LinkButton>}
      <LinkButton to="/" {...(next !== 'campaigns' && { variant: 'default' })}>
        Return home
      </LinkButton>
    </MessagePage>
  );
}
