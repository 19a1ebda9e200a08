import { Button, Group, Text } from '@mantine/core';
import { useSubscription } from '../subscription.tsx';

/** In place of what depends on a subscription that could not be read. */
export function SubscriptionFailure() {
  const { retry } = useSubscription();
  return (
    <Group justify="space-between" gap="sm" role="alert">
      <Text fz="sm">Your subscription could not be loaded.</Text>
      <Button variant="default" size="xs" onClick={retry}>
        Try again
      </Button>
    </Group>
  );
}
