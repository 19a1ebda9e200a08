import { Container, Group, Text } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { useAuth } from '../../auth.tsx';
import { PageHeading } from '../../components/layout/page-heading.tsx';
import { PagePlaceholder } from '../../components/layout/page-placeholder.tsx';
import { paymentAddress, readCycle } from '../../text/plan-copy.ts';
import { useSubscription } from '../../subscription.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { LEFT_UNKNOWN, leftCopy } from './checkout-copy.ts';
import { LinkButton } from '../../components/links.ts';

/** The cancel page of the checkout. The user may have a subscription all the same. */
export function CheckoutCanceled() {
  const { user, loading } = useAuth();
  const [params] = useSearchParams();
  const { subscription, isLoading, error } = useSubscription();
  const now = useNow();
  if (loading || isLoading) return <PagePlaceholder />;
  const isKnown = user !== null && error === null;
  const { text, next } = isKnown ? leftCopy(subscription, now) : LEFT_UNKNOWN;
  const plans = paymentAddress(readCycle(params));
  return (
    <Container size="sm" py={96} ta="center">
      <PageHeading>Payment canceled</PageHeading>
      <Text c="dimmed" mt="sm" mb="xl">
        {text}
      </Text>
      <Group justify="center">
        {next === 'plans' && <LinkButton to={plans}>See plans</LinkButton>}
        {next === 'billing' && <LinkButton to="/settings#billing">Go to Billing</LinkButton>}
        <LinkButton to="/" {...(next !== 'campaigns' && { variant: 'default' })}>
          Return home
        </LinkButton>
      </Group>
    </Container>
  );
}
