import { Box, Button, Container, Group } from '@mantine/core';
import { Link } from 'react-router';
import { useAuth } from '../features/auth/auth-provider.tsx';
import { Chevron } from '../components/chevron.tsx';
import classes from './header.module.css';
import { useLandingSections } from './landing-sections.ts';
import { LEGAL_PAGES } from '../lib/legal-pages.ts';
import { Logo } from './logo.tsx';
import { PhoneMenu } from './phone-menu.tsx';
import { useOwnPages } from '../features/auth/own-pages.ts';
import { useCurrentPage } from './use-current-page.ts';
import { Greeting, LogButton, TrialButton } from './session-parts.tsx';
import { StatusAnnouncer, StatusIndicator } from '../features/status/status-indicator.tsx';
import { LinkButton } from '../components/links.ts';

const LINK = { variant: 'subtle', color: 'gray', size: 'sm', flex: 'none' } as const;

/** The header of every page; in the prerendered landing page it works without a script. */
export function Header() {
  const loggedIn = useAuth().token !== null;
  const sections = useLandingSections();
  const ownPages = useOwnPages();
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
            <Greeting />
            {loggedIn && <StatusIndicator />}
            {sections.map(({ href, label }) => (
              <Button key={href} component="a" href={href} {...LINK}>
                {label}
              </Button>
            ))}
            <AboutMenu />
            {ownPages.map(({ to, label }) => (
              <LinkButton key={to} to={to} {...current(to)} {...LINK}>
                {label}
              </LinkButton>
            ))}
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
