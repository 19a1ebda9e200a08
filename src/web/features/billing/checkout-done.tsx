import { Box, Button, Group, Loader, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { LinkButton } from '../../components/links.ts';
import { MessagePage } from '../../components/message-page.tsx';
import { OutcomeNotice } from '../../components/outcome-notice.tsx';
import { PagePlaceholder } from '../../components/page-placeholder.tsx';
import { errorMessage } from '../../lib/api-client.ts';
import { loginAddress } from '../../lib/return-to.ts';
import { useNow } from '../../lib/use-now.ts';
import { useAuth, useUser } from '../auth/auth-provider.tsx';
import { SmartPauseSettings } from '../settings/smart-pause-settings.tsx';
import { useActivation } from './api.ts';
import type { DoneCopy } from './checkout-copy.ts';
import { doneCopy, shownSessionId } from './checkout-copy.ts';
import { BILLING_SETTINGS } from './plan-copy.ts';
import { useSubscription } from './subscription-provider.tsx';

/** The success page of the checkout. The address proves nothing, so the page asks the payment provider. */
export function CheckoutDone() {
  const { token, loading } = useAuth();
  const { pathname, search } = useLocation();
  if (token !== null) return loading ? <PagePlaceholder /> : <Activation />;
  return (
    <Page title="Log in to see your subscription" text="You were logged out. Your payment isn’t affected.">
      <Button component="a" href={loginAddress(pathname + search)}>
        Log In
      </Button>
    </Page>
  );
}

function Activation() {
  const { data, error, isLate } = useActivation();
  const { subscription } = useSubscription();
  const copy = doneCopy(subscription, useNow());
  if (data !== undefined && copy !== null) return <Done {...copy} />;
  if (!isLate) {
    return (
      <Page title="Confirming your subscription">
        <Group gap="sm" role="status">
          <Loader size="sm" />
          <Text>{data === undefined ? 'Checking with Stripe…' : 'Still waiting for Stripe…'}</Text>
        </Group>
      </Page>
    );
  }
  const why =
    error === null
      ? 'Stripe hasn’t confirmed your payment yet. It can take a few minutes. This page checks again by itself; you can close it.'
      : errorMessage('Can’t reach SmartPause. This page tries again by itself.', error);
  return (
    <Page title="Not confirmed yet" text={why} role="alert">
      <LinkButton to={BILLING_SETTINGS} variant="default">
        Go to Billing
      </LinkButton>
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
  if (next === 'billing') {
    return (
      <Page title={title} text={text} role="status">
        <LinkButton to={BILLING_SETTINGS}>Go to Billing</LinkButton>
        <LinkButton to="/" variant="default">
          Return home
        </LinkButton>
      </Page>
    );
  }
  if (wasInitialized) {
    const protects = ' SmartPause protects the campaigns you turned it on for.';
    return (
      <Page title={title} text={text + protects} role="status">
        <LinkButton to="/">Go to campaigns</LinkButton>
      </Page>
    );
  }
  if (isInitialized) {
    return (
      <Page title={title}>
        <Box w="100%">
          <OutcomeNotice outcome={INITIALIZED} />
        </Box>
        {/* The form that had the focus is gone. */}
        <LinkButton to="/" mt="md" autoFocus>
          Choose campaigns
        </LinkButton>
      </Page>
    );
  }
  return (
    <Page title={title} text={text} role="status">
      <Box w="100%" ta="left" mb="md">
        <SmartPauseSettings />
      </Box>
      <LinkButton to="/" variant="default">
        Go to campaigns
      </LinkButton>
    </Page>
  );
}

interface PageProps {
  title: string;
  text?: string;
  /** Of the text. */
  role?: 'alert' | 'status';
  children: ReactNode;
}

function Page({ title, text, role, children }: PageProps) {
  const [params] = useSearchParams();
  const sessionId = shownSessionId(params);
  return (
    <MessagePage title={title}>
      {text !== undefined && (
        <Text c="dimmed" mb="xl" role={role}>
          {text}
        </Text>
      )}
      <Group justify="center">{children}</Group>
      {sessionId !== null && (
        <Text fz="xs" c="dimmed" mt="xl" style={{ overflowWrap: 'anywhere' }}>
          Checkout session: {sessionId}
        </Text>
      )}
    </MessagePage>
  );
}
