import { Text } from '@mantine/core';

/** Secondary text: small and paler. */
export const Muted = Text.withProps({ fz: 'sm', c: 'dimmed' });
