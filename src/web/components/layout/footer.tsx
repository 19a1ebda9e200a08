import { Container, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { ColorThemeChoice } from './color-theme-choice.tsx';
import { Muted } from '../muted.ts';

/** The footer of every page, with the theme choice. */
export function Footer({ children }: { children: ReactNode }) {
  return (
    <Container component="footer" size="lg" w="100%" py="xl">
      <Group justify="space-between" gap="xs">
        <Muted>SmartPause is not affiliated with Meta. All times are New York time (EST).</Muted>
        <Group gap="md">
          {children}
          <ColorThemeChoice />
        </Group>
      </Group>
    </Container>
  );
}
