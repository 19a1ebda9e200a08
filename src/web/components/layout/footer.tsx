import { Container, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ColorThemeChoice } from './color-theme-choice.tsx';

/** The end of every page, where its colours are chosen; its links are those of the page's own kind. */
export function Footer({ children }: { children: ReactNode }) {
  return (
    <Container component="footer" size="lg" w="100%" py="xl">
      <Group justify="space-between" gap="xs">
        <Text fz="sm" c="dimmed">
          SmartPause is not part of Meta. All times are New York time (EST).
        </Text>
        <Group gap="md">
          {children}
          <ColorThemeChoice />
        </Group>
      </Group>
    </Container>
  );
}
