import { Box, Button, Container, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import { Chevron } from '../components/icons.tsx';
import { LinkButton } from '../components/links.ts';
import { useAuth } from '../features/auth/auth-provider.tsx';
import { StatusAnnouncer, StatusIndicator } from '../features/status/status-indicator.tsx';
import classes from './header.module.css';
import { LEGAL_PAGES, useCurrentPage, useNavLinks } from './nav.ts';
import { PhoneMenu } from './phone-menu.tsx';
import { Greeting, LogButton, TrialButton } from './session-parts.tsx';

const LINK = { variant: 'subtle', color: 'gray', size: 'sm', flex: 'none' } as const;

/** The header of every page; in the prerendered landing page it works without a script. */
export function Header() {
  const loggedIn = useAuth().token !== null;
  const links = useNavLinks();
  const current = useCurrentPage();
  return (
    <Box
      component="header"
      bg="var(--ground-card)"
      style={{ borderBottom: '1px solid var(--mantine-color-default-border)' }}
    >
      {/* As wide as the dashboard on every page of a user. */}
      <Container size={loggedIn ? 1720 : 'lg'} h={60}>
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Link to="/" className="plain" aria-label="SmartPause home">
            <Logo />
          </Link>
          <Group component="nav" aria-label="Main" gap="xs" visibleFrom="md" wrap="nowrap" miw={0}>
            {/* Items that load late come first, so that no link moves under the pointer. */}
            <Greeting maw={220} truncate />
            {loggedIn && <StatusIndicator />}
            {links.map(({ to, label }) => (
              <LinkButton key={to} to={to} {...current(to)} {...LINK}>
                {label}
              </LinkButton>
            ))}
            <AboutMenu />
            <LogButton />
            <TrialButton />
          </Group>
          <PhoneMenu />
          {loggedIn && <StatusAnnouncer />}
        </Group>
      </Container>
    </Box>
  );
}

function Logo() {
  return (
    <Group gap={10} wrap="nowrap">
      <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="var(--mantine-color-accent-7)" />
        <rect x="9" y="9" width="4.5" height="14" rx="1.5" fill="#fff" />
        <path d="M18 9.9c0-.9 1-1.5 1.8-1L26 14.9c.7.5.7 1.6 0 2.1l-6.2 6c-.8.6-1.8 0-1.8-1z" fill="#fff" />
      </svg>
      <Text span fw={700} fz="lg" lts={-0.3}>
        SmartPause
      </Text>
    </Group>
  );
}

const ABOUT_ID = 'about';

function AboutMenu() {
  const current = useCurrentPage();
  return (
    <Box>
      <Button popoverTarget={ABOUT_ID} {...LINK} rightSection={<Chevron />}>
        About
      </Button>
      <ul id={ABOUT_ID} popover="auto" className={classes.about}>
        {LEGAL_PAGES.map(({ to, label }) => (
          <li key={to}>
            <Link to={to} {...current(to)}>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </Box>
  );
}
