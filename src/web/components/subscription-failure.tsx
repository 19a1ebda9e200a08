import { Button, Group, Text } from '@mantine/core';
import { useSubscription } from '../subscription.tsx';

/** Replaces content that needs a subscription that could not be read. */
export function SubscriptionFailure() {
  const { retry } = useSubscription();
  return (
    <Group justify="space-between" gap="sm" role="alert">
      <Text fz="sm">Your subscription couldn’t be loaded.</Text>
      <Button variant="default" size="xs" onClick={retry}>
        Try again
      </Button>
    </Group>
  );
}
