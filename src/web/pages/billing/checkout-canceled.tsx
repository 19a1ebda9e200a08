import { Button, Container, Group, Text } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';
import { useAuth } from '../../auth.tsx';
import { PageHeading } from '../../components/layout/page-heading.tsx';
import { PagePlaceholder } from '../../components/layout/page-placeholder.tsx';
import { paymentAddress, readCycle } from '../../text/plan-words.ts';
import { useSubscription } from '../../subscription.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { LEFT_UNKNOWN, leftWords } from './checkout-words.ts';

/** Where somebody comes back to who left the checkout. They may have a subscription all the same. */
export function CheckoutCanceled() {
  const { user, loading } = useAuth();
  const [params] = useSearchParams();
  const { subscription, isLoading, error } = useSubscription();
  const now = useNow();
  if (loading || isLoading) return <PagePlaceholder />;
  const isKnown = user !== null && error === null;
  const { text, next } = isKnown ? leftWords(subscription, now) : LEFT_UNKNOWN;
  const plans = paymentAddress(readCycle(params));
  return (
    <Container size="sm" py={96} ta="center">
      <PageHeading>Payment canceled</PageHeading>
      <Text c="dimmed" mt="sm" mb="xl">
        {text}
      </Text>
      <Group justify="center">
        {next === 'plans' && <To address={plans} label="See plans" />}
        {next === 'billing' && <To address="/settings#billing" label="Go to Billing" />}
        <Button component={Link} to="/" {...(next !== 'campaigns' && { variant: 'default' })}>
          Return home
        </Button>
      </Group>
    </Container>
  );
}

function To({ address, label }: { address: string; label: string }) {
  return (
    <Button component={Link} to={address}>
      {label}
    </Button>
  );
}
