import { Anchor } from '@mantine/core';
import { loginAddress } from '../../lib/return-to.ts';
import { useReturnTo } from '../auth/use-return-to.ts';

/** Meta accepts our access again after a new login. */
export function Reconnect() {
  return (
    <Anchor href={loginAddress(useReturnTo())} inherit c="inherit" fw={600} underline="always">
      Reconnect to Meta
    </Anchor>
  );
}
