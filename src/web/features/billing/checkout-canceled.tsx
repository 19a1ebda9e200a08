import { Group, Text } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { useAuth } from '../auth/auth-provider.tsx';
import { PagePlaceholder } from '../../components/page-placeholder.tsx';
import { LinkButton } from '../../components/links.ts';
import { MessagePage } from '../../components/message-page.tsx';
import { useNow } from '../../lib/use-now.ts';
import { useSubscription } from './subscription-provider.tsx';
import { paymentAddress, readCycle } from './plan-copy.ts';
import { LEFT_UNKNOWN, leftCopy } from './checkout-copy.ts';

/** The cancel page of the checkout. The user may have a subscription all the same. */
export function CheckoutCanceled() {
  const { user, loading } = useAuth();
  const [params] = useSearchParams();
  const { subscription, isLoading, error } = useSubscription();
  const now = useNow();
  if (loading || isLoading) return <PagePlaceholder />;
  const { text, next } = user !== null && error === null ? leftCopy(subscription, now) : LEFT_UNKNOWN;
  return (
    <MessagePage title="Payment canceled">
      <Text c="dimmed" mb="xl">
        {text}
      </Text>
      <Group justify="center">
        {next === 'plans' && <LinkButton to={paymentAddress(readCycle(params))}>See plans</LinkButton>}
        {next === 'billing' && <LinkButton to="/settings#billing">Go to Billing</LinkButton>}
        <LinkButton to="/" {...(next !== 'campaigns' && { variant: 'default' })}>
          Return home
        </LinkButton>
      </Group>
    </MessagePage>
  );
}
