import { Box, Button, Container, Divider, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { Chevron, LINE, LogoMark } from '../components/icons.tsx';
import { LinkButton } from '../components/links.ts';
import { Muted } from '../components/muted.ts';
import popover from '../components/popover.module.css';
import { useAuth } from '../features/auth/auth-provider.tsx';
import { useReturnTo } from '../features/auth/use-return-to.ts';
import { statusText, usePlatformStatus } from '../features/status/api.ts';
import { StatusAnnouncer, StatusDetails, StatusIndicator } from '../features/status/status-indicator.tsx';
import { StatusShape } from '../features/status/status-mark.tsx';
import { loginAddress } from '../lib/return-to.ts';
import { ColorThemeChoice } from './color-theme-choice.tsx';
import classes from './header.module.css';
import { LEGAL_PAGES, hasStatusPage, useCurrentPage, useNavLinks } from './nav.ts';

const LINK = { variant: 'subtle', color: 'gray', size: 'sm', flex: 'none' } as const;
const [MENU_ID, ABOUT_ID] = ['menu', 'about'];

/** The header of every page; in the prerendered landing page it works without a script. */
export function Header() {
  const loggedIn = useAuth().token !== null;
  const status = usePlatformStatus(loggedIn);
  return (
    <Box
      component="header"
      bg="var(--ground-card)"
      style={{ borderBottom: '1px solid var(--mantine-color-default-border)' }}
    >
      <Container size="lg" h={60}>
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Link to="/" className="plain" aria-label="SmartPause home">
            <Logo />
          </Link>
          <Box miw={0}>
            {/* The browser says whether it is expanded. */}
            <MenuButton
              label={status === null ? 'Menu' : `Menu, ${statusText(status)}`}
              drawing="M2 4.5h16M2 10h16M2 15.5h16"
            >
              {status !== null && (
                <span className={classes.dot}>
                  <StatusShape level={status.status} size={13} />
                </span>
              )}
            </MenuButton>
            <Navigation />
          </Box>
          {loggedIn && <StatusAnnouncer />}
        </Group>
      </Container>
    </Box>
  );
}

/** A row in the header; on small screens a menu that its button opens. */
function Navigation() {
  const { user, token } = useAuth();
  const status = usePlatformStatus(token !== null);
  const current = useCurrentPage();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const link = ({ to, label }: { to: string; label: string }) => (
    <LinkButton key={to} to={to} {...current(to)} {...LINK}>
      {label}
    </LinkButton>
  );
  return (
    <nav
      id={MENU_ID}
      popover="auto"
      aria-label="Main"
      className={classes.nav}
      onBeforeToggle={({ newState }) => setMenuOpen(newState === 'open')}
    >
      <Group justify="space-between" hiddenFrom="md" mb={12}>
        <b>Menu</b>
        <MenuButton label="Close menu" drawing="m4 4 12 12M16 4 4 16" />
      </Group>
      {/* Items that load late come first, so that no link moves under the pointer. */}
      {user !== null && (
        <Muted px={{ md: 'xs' }} title={user.name} className={classes.greeting ?? ''}>
          Welcome, {user.name}
        </Muted>
      )}
      {token !== null && <StatusIndicator />}
      {isMenuOpen && status !== null && (
        <Muted component="div" hiddenFrom="md" py={8}>
          <StatusDetails status={status} />
        </Muted>
      )}
      {useNavLinks().map(link)}
      <Box visibleFrom="md">
        <Button popoverTarget={ABOUT_ID} {...LINK} rightSection={<Chevron />}>
          About
        </Button>
        <div id={ABOUT_ID} popover="auto" className={`${popover.popover} ${classes.about}`}>
          {LEGAL_PAGES.map(link)}
        </div>
      </Box>
      <Box hiddenFrom="md">
        {token === null && hasStatusPage() && (
          <Button component="a" href="/status" {...LINK}>
            Meta status
          </Button>
        )}
        {LEGAL_PAGES.map(link)}
      </Box>
      <Divider my="xs" hiddenFrom="md" />
      <SessionButtons />
      <Box hiddenFrom="md">
        <ColorThemeChoice />
      </Box>
    </nav>
  );
}

function SessionButtons() {
  const { token, logout } = useAuth();
  const { pathname } = useLocation();
  const returnTo = useReturnTo();
  const look = { variant: 'default', size: 'sm', flex: 'none' } as const;
  if (token !== null)
    return (
      <Button onClick={logout} {...look}>
        Log out
      </Button>
    );
  return (
    <>
      <Button component="a" href={loginAddress(returnTo)} {...look}>
        Log In
      </Button>
      {/* The pricing page itself has the same action. */}
      {pathname !== '/payment' && (
        <LinkButton to="/payment" size="sm" flex="none">
          Start Free Trial
        </LinkButton>
      )}
    </>
  );
}

function Logo() {
  return (
    <Group gap={10} wrap="nowrap">
      <LogoMark size={28} />
      <Text span fw={700} fz="lg" lts={-0.3}>
        SmartPause
      </Text>
    </Group>
  );
}

interface MenuButtonProps {
  label: string;
  drawing: string;
  children?: ReactNode;
}

function MenuButton({ label, drawing, children }: MenuButtonProps) {
  return (
    <button type="button" className={classes.burger} popoverTarget={MENU_ID} aria-label={label}>
      <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
        <path {...LINE} d={drawing} strokeWidth="2" />
      </svg>
      {children}
    </button>
  );
}
