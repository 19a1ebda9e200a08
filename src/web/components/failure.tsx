import { Alert } from '@mantine/core';
import { errorMessage } from '../lib/api-client.ts';

/** Why an action failed; stays until the next attempt. `otherwise`: the text if the server sent none. */
export function Failure({ error, otherwise }: { error: Error | null; otherwise: string }) {
  return (
    error !== null && (
      <Alert color="red" role="alert" py="xs">
        {errorMessage(otherwise, error)}
      </Alert>
    )
  );
}
