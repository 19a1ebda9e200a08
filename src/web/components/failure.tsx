import { Alert, Text } from '@mantine/core';

/** Why an action failed; stays until the next attempt. */
export function Failure({ text }: { text: string }) {
  return (
    <Alert color="red" role="alert" py="xs">
      <Text inherit>{text}</Text>
    </Alert>
  );
}
