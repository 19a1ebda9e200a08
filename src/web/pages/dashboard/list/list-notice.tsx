import { Box } from '@mantine/core';
import type { BoxProps } from '@mantine/core';
import type { ReactNode } from 'react';

/** Across the list of campaigns: what is to be known of it. */
export function ListNotice(props: BoxProps & { children: ReactNode }) {
  return (
    <Box
      bg="var(--mantine-color-yellow-light)"
      c="var(--mantine-color-yellow-light-color)"
      px={{ base: 'md', sm: 'lg' }}
      py={8}
      {...props}
    />
  );
}
