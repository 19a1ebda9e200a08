import { Anchor, Container, Group } from '@mantine/core';
import { Link } from 'react-router';
import { isOwnServer } from '../lib/session.ts';
import { useAuth } from '../features/auth/auth-provider.tsx';
import { Muted } from '../components/muted.ts';
import { ColorThemeChoice } from './color-theme-choice.tsx';
import { LEGAL_PAGES } from '../lib/legal-pages.ts';

/** The footer of every page, with the theme choice. */
export function Footer() {
  const loggedIn = useAuth().token !== null;
  // Only our server sends the prerendered landing page and has the public status page.
  const isPrerendered = typeof document === 'undefined';
  return (
    <Container component="footer" size={loggedIn ? 1720 : 'lg'} w="100%" py="xl">
      <Group justify="space-between" gap="xs">
        <Muted>SmartPause is not affiliated with Meta. All times are New York time (EST).</Muted>
        <Group gap="md">
          {(isPrerendered || isOwnServer()) && (
            <Anchor href="/status" fz="sm" c="dimmed" py={4}>
              Meta status
            </Anchor>
          )}
          {LEGAL_PAGES.map(({ to, label }) => (
            <Anchor key={to} component={Link} to={to} fz="sm" c="dimmed" py={4}>
              {label}
            </Anchor>
          ))}
          {/* Without a script the choice would do nothing. */}
          {!isPrerendered && <ColorThemeChoice />}
        </Group>
      </Group>
    </Container>
  );
}
