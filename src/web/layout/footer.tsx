import { Anchor, Container, Group } from '@mantine/core';
import { Link } from 'react-router';
import { DISCLAIMER } from '#core/labels.ts';
import { Muted } from '../components/muted.ts';
import { ColorThemeChoice } from './color-theme-choice.tsx';
import { LEGAL_PAGES, hasStatusPage } from './nav.ts';

const LINK = { fz: 'sm', c: 'dimmed', py: 4 } as const;

/** The footer of every page, with the theme choice. */
export function Footer() {
  return (
    <Container component="footer" size="lg" w="100%" py="xl">
      <Group justify="space-between" gap="xs">
        <Muted>{DISCLAIMER}</Muted>
        <Group gap="md">
          {hasStatusPage() && (
            <Anchor href="/status" {...LINK}>
              Meta status
            </Anchor>
          )}
          {LEGAL_PAGES.map(({ to, label }) => (
            <Anchor key={to} component={Link} to={to} {...LINK}>
              {label}
            </Anchor>
          ))}
          <ColorThemeChoice />
        </Group>
      </Group>
    </Container>
  );
}
