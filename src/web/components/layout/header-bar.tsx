import { Box, Container, Group } from '@mantine/core';
import type { ReactNode } from 'react';

export function HeaderBar({ home, children }: { home: ReactNode; children: ReactNode }) {
  return (
    <Box
      component="header"
      bg="var(--ground-card)"
      style={{ borderBottom: '1px solid var(--mantine-color-default-border)' }}
    >
      <Container size="lg" h={60}>
        <Group h="100%" justify="space-between" wrap="nowrap">
          {home}
          {children}
        </Group>
      </Container>
    </Box>
  );
}
