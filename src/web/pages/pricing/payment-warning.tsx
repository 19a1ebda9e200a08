import { Alert, Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { planWords } from '../../text/plan-words.ts';
import { useSubscription } from '../../subscription.tsx';
import { BILLING_SETTINGS } from './address.ts';

/** Above the plans while a payment is open (PRICE-04). */
export function PaymentWarning() {
  const { subscription } = useSubscription();
  if (subscription === null) return null;
  return (
    <Alert color="yellow" role="alert" title="There is a problem with your payment" p="lg">
      <Text inherit className="figures">
        You already have a subscription: {planWords(subscription)}. Use another card or pay the open invoice,
        and SmartPause protects your campaigns again.{' '}
        <Anchor component={Link} to={BILLING_SETTINGS} inherit c="inherit" fw={600} underline="always">
          Go to Billing Settings
        </Anchor>
      </Text>
    </Alert>
  );
}
