import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { planWords } from '../../plan-words.ts';
import { useSubscription } from '../../subscription.tsx';
import { buttonWords } from './button-state.ts';

const BILLING = '/settings#billing';

/** On the narrowest screens its words take two lines. */
const WRAPS = { label: { whiteSpace: 'normal' } } as const;

/** In place of the plans: no second subscription can begin while the first one owes (PRICE-04). */
export function PaymentWarning() {
  const { subscription } = useSubscription();
  if (subscription === null) return null;
  return (
    <Alert color="yellow" role="alert" title="There is a problem with your payment" p="lg">
      <Stack gap="md" align="flex-start">
        <Text inherit className="figures">
          You have a subscription already: {planWords(subscription)}. Update your card, or pay what is open,
          and SmartPause looks after your campaigns again.{' '}
          <Anchor component={Link} to={BILLING} inherit c="inherit" fw={600} underline="always">
            Go to Billing Settings
          </Anchor>
        </Text>
        <Button component={Link} to={BILLING} size="md" h="auto" mih={42} py={8} maw="100%" styles={WRAPS}>
          {buttonWords('payment_issue', subscription.planType)}
        </Button>
      </Stack>
    </Alert>
  );
}
