import { Alert, Button, Group, Text } from '@mantine/core';
import { Link } from 'react-router';

/** No second subscription can begin while the first one owes. */
export function PaymentWarning() {
  return (
    <Alert color="yellow" role="alert" title="There is a problem with your payment">
      <Group justify="space-between" gap="sm">
        <Text inherit maw={520}>
          You have a subscription already, but its payment did not go through. Put it right, and SmartPause
          looks after your campaigns again.
        </Text>
        <Button component={Link} to="/settings#billing" size="sm" variant="default">
          Go to Billing Settings
        </Button>
      </Group>
    </Alert>
  );
}
