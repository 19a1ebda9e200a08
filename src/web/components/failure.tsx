import { Alert, Text } from '@mantine/core';

/** Why something did not happen; it stays until it is tried again. */
export function Failure({ text }: { text: string }) {
  return (
    <Alert color="red" role="alert" py="xs">
      <Text inherit>{text}</Text>
    </Alert>
  );
}
