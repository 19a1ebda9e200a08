import { Button, Group, Loader, Text } from '@mantine/core';
import type { ComponentProps } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { LinkButton } from '../../components/links.ts';
import { MessagePage } from '../../components/message-page.tsx';
import { Muted } from '../../components/muted.ts';
import { PagePlaceholder } from '../../components/page-placeholder.tsx';
import { errorMessage } from '../../lib/api-client.ts';
import { loginAddress } from '../../lib/return-to.ts';
import { useNow } from '../../lib/use-now.ts';
import { useAuth, useUser } from '../auth/auth-provider.tsx';
import { useActivation } from '../subscription/api.ts';
import { BILLING_SETTINGS, paymentAddress, readCycle } from '../subscription/plan-copy.ts';
import { useSubscription } from '../subscription/subscription-provider.tsx';
import { afterCheckout, shownSessionId, subscriptionText } from './billing-copy.ts';

const TO_BILLING = <LinkButton to={BILLING_SETTINGS}>Go to Billing</LinkButton>;

/** The success page of the checkout. The address proves nothing, so the page asks the payment provider. */
export function CheckoutDone() {
  const { token, loading } = useAuth();
  const { pathname, search } = useLocation();
  if (token !== null) return loading ? <PagePlaceholder /> : <Activation />;
  return (
    <CheckoutPage
      title="Log in to see your subscription"
      text="You were logged out. Your payment isn’t affected."
    >
      <Button component="a" href={loginAddress(pathname + search)}>
        Log In
      </Button>
    </CheckoutPage>
  );
}

function Activation() {
  const { data, error, isLate } = useActivation();
  const { subscription } = useSubscription();
  const { isInitialized } = useUser();
  const now = useNow();
  const done = afterCheckout(subscription, now);
  if (data !== undefined && subscription !== null && done !== null) {
    return (
      <CheckoutPage title={done.title} text={subscriptionText(subscription, now)} role="status">
        {done.next === 'billing' && TO_BILLING}
        {done.next === 'campaigns' && (
          <LinkButton to={isInitialized ? '/' : '/setup'}>
            {isInitialized ? 'Go to campaigns' : 'Complete setup'}
          </LinkButton>
        )}
      </CheckoutPage>
    );
  }
  if (!isLate) {
    return (
      <CheckoutPage title="Confirming your subscription">
        <Group gap="sm" role="status">
          <Loader size="sm" />
          <Text>{data === undefined ? 'Checking with Stripe…' : 'Still waiting for Stripe…'}</Text>
        </Group>
      </CheckoutPage>
    );
  }
  const why =
    error === null
      ? 'Stripe hasn’t confirmed your payment yet. It can take a few minutes. This page checks again by itself; you can close it.'
      : errorMessage('Can’t reach SmartPause. This page tries again by itself.', error);
  return (
    <CheckoutPage title="Not confirmed yet" text={why} role="alert">
      {TO_BILLING}
    </CheckoutPage>
  );
}

/** With the id of the checkout session (ROUTE-08), which finds the payment at Stripe. */
function CheckoutPage({ children, ...rest }: ComponentProps<typeof MessagePage>) {
  const [params] = useSearchParams();
  const sessionId = shownSessionId(params);
  return (
    <MessagePage {...rest}>
      {children}
      {sessionId !== null && (
        <Muted w="100%" fz="xs" mt="md" style={{ overflowWrap: 'anywhere' }}>
          Reference for support: {sessionId}
        </Muted>
      )}
    </MessagePage>
  );
}

/** The cancel page of the checkout. */
export function CheckoutCanceled() {
  const [params] = useSearchParams();
  return (
    <MessagePage title="Payment canceled" text="You left checkout before paying. You weren’t charged.">
      <LinkButton to={paymentAddress(readCycle(params), true)}>Continue to Payment</LinkButton>
      <LinkButton to="/" variant="default">
        Return home
      </LinkButton>
    </MessagePage>
  );
}
