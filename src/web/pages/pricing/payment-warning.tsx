import { Alert, Text } from '@mantine/core';
import { planLabel } from '../../text/plan-copy.ts';
import { useSubscription } from '../../subscription.tsx';
import { BILLING_SETTINGS } from './address.ts';
import { BannerLink } from '../../components/links.ts';

/** Shown above the plans while a payment is open (PRICE-04). */
export function PaymentWarning() {
  const { subscription } = useSubscription();
  if (subscription === null) return null;
  return (
    <Alert color="yellow" role="alert" title="There’s a problem with your payment" p="lg">
      <Text inherit className="figures">
        You already have a subscription: {planLabel(subscription)}. To protect your campaigns again, use
        another card or pay the open invoice.{' '}
        <BannerLink to={BILLING_SETTINGS}>Go to Billing Settings</BannerLink>
      </Text>
    </Alert>
  );
}
