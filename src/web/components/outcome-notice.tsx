import { Alert, Text } from '@mantine/core';
import type { Outcome } from '../lib/use-outcome.ts';

export function OutcomeNotice({ outcome }: { outcome: Outcome | null }) {
  if (outcome === null) return null;
  return (
    <Alert color={outcome.ok ? 'green' : 'red'} role={outcome.ok ? 'status' : 'alert'} py="xs">
      <Text inherit fw={600}>
        {outcome.text}
      </Text>
      {outcome.reason !== null && <Text inherit>{outcome.reason}</Text>}
    </Alert>
  );
}
