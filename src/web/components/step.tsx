import { Badge, Box, Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface StepProps {
  /** Its number, or a check mark when it is done. */
  mark: number | '✓';
  title: string;
  children: ReactNode;
}

/** One step of a numbered list. */
export function Step({ mark, title, children }: StepProps) {
  return (
    <Group component="li" wrap="nowrap" align="flex-start" gap="md">
      <Badge circle size="lg" {...(mark === '✓' && { color: 'green' })} aria-hidden="true">
        {mark}
      </Badge>
      <Box flex={1}>
        <Title order={3} fz="md">
          {title}
        </Title>
        {children}
      </Box>
    </Group>
  );
}
