import {
  Anchor,
  Box,
  Burger,
  Button,
  Container,
  Divider,
  Drawer,
  Group,
  Menu,
  Stack,
  Text,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { isAdmin } from '#core/roles.ts';
import { LEVEL_WORDS } from '#core/words.ts';
import { usePlatformStatus } from '../queries.ts';
import { useReturnTo } from '../return-to.ts';
import type { Session } from '../session.tsx';
import { loginAddress, useSession } from '../session.tsx';
import { Logo } from './logo.tsx';
import { StatusAnnouncer, StatusDetails, StatusIndicator } from './status-indicator.tsx';
import { StatusMark, StatusShape } from './status-mark.tsx';

const LEGAL = [
  { to: '/privacy-policy', label: 'Privacy Policy' },
  { to: '/terms-of-service', label: 'Terms of Service' },
];

export function Header() {
  const session = useSession();
  const loggedIn = session.state !== 'logged_out';
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
          <Group component="nav" aria-label="Main" gap="xs" visibleFrom="md" wrap="nowrap" miw={0}>
            <AboutMenu />
            {loggedIn && (
              <Button component={Link} to="/settings" variant="subtle" color="gray" size="sm" flex="none">
                Settings
              </Button>
            )}
            {isAdmins(session) && (
              <Button component={Link} to="/admin" variant="subtle" color="gray" size="sm" flex="none">
                Admin
              </Button>
            )}
            {loggedIn && <StatusIndicator />}
            <Greeting session={session} />
            <LogButton session={session} />
          </Group>
          <MobileMenu session={session} />
        </Group>
      </Container>
      {loggedIn && <StatusAnnouncer />}
    </Box>
  );
}

function isAdmins(session: Session): boolean {
  return session.state === 'logged_in' && isAdmin(session.user.roles);
}

function AboutMenu() {
  return (
    <Menu shadow="md" width={200} transitionProps={{ duration: 120 }}>
      <Menu.Target>
        <Button variant="subtle" color="gray" size="sm" flex="none" rightSection={<Chevron />}>
          About
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {LEGAL.map(({ to, label }) => (
          <Menu.Item key={to} component={Link} to={to}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Chevron() {
  return (
    <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      <path
        d="m2.5 4.5 3.5 3.5 3.5-3.5"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
      />
    </svg>
  );
}

function Greeting({ session }: { session: Session }) {
  if (session.state !== 'logged_in') return null;
  return (
    <Text fz="sm" c="dimmed" px="xs" maw={220} miw={0} truncate title={session.user.name}>
      Welcome, {session.user.name}
    </Text>
  );
}

function LogButton({ session, fullWidth = false }: { session: Session; fullWidth?: boolean }) {
  const returnTo = useReturnTo();
  if (session.state === 'logged_out') {
    return (
      <Button component="a" href={loginAddress(returnTo)} size="sm" flex="none" fullWidth={fullWidth}>
        Log In
      </Button>
    );
  }
  return (
    <Button variant="default" size="sm" flex="none" onClick={session.logOut} fullWidth={fullWidth}>
      Log out
    </Button>
  );
}

function MobileMenu({ session }: { session: Session }) {
  const [opened, { toggle, close }] = useDisclosure(false);
  const loggedIn = session.state !== 'logged_out';
  return (
    <Box hiddenFrom="md">
      <BurgerWithDot opened={opened} toggle={toggle} loggedIn={loggedIn} />
      <Drawer
        opened={opened}
        onClose={close}
        position="right"
        size="min(84vw, 320px)"
        title="Menu"
        zIndex={300}
      >
        <Stack component="nav" aria-label="Main" gap="xs">
          {loggedIn && <MobileStatus />}
          <Greeting session={session} />
          {loggedIn && (
            <MobileLink to="/settings" onClick={close}>
              Settings
            </MobileLink>
          )}
          {isAdmins(session) && (
            <MobileLink to="/admin" onClick={close}>
              Admin
            </MobileLink>
          )}
          {LEGAL.map(({ to, label }) => (
            <MobileLink key={to} to={to} onClick={close}>
              {label}
            </MobileLink>
          ))}
          <Divider my="xs" />
          <LogButton session={session} fullWidth />
        </Stack>
      </Drawer>
    </Box>
  );
}

function BurgerWithDot({
  opened,
  toggle,
  loggedIn,
}: {
  opened: boolean;
  toggle: () => void;
  loggedIn: boolean;
}) {
  const status = usePlatformStatus(loggedIn);
  const suffix = status === null ? '' : `, Meta ad services: ${LEVEL_WORDS[status.status]}`;
  return (
    <Box pos="relative">
      <Burger
        opened={opened}
        onClick={toggle}
        size="sm"
        aria-label={`Open menu${suffix}`}
        aria-expanded={opened}
      />
      {status !== null && (
        <Box pos="absolute" top={-2} right={-4} lh={0} style={{ pointerEvents: 'none' }}>
          <StatusShape level={status.status} size={13} />
        </Box>
      )}
    </Box>
  );
}

function MobileStatus() {
  const status = usePlatformStatus();
  if (status === null) return null;
  return (
    <Box p="sm" bg="var(--mantine-color-default-hover)" style={{ borderRadius: 'var(--mantine-radius-md)' }}>
      <StatusMark level={status.status} prefix="Meta" />
      <Text component="div" fz="sm" c="dimmed" mt={4}>
        <StatusDetails status={status} />
      </Text>
    </Box>
  );
}

function MobileLink({ to, onClick, children }: { to: string; onClick: () => void; children: ReactNode }) {
  return (
    <Anchor component={Link} to={to} onClick={onClick} py={8} px="xs" c="inherit" fw={550}>
      {children}
    </Anchor>
  );
}
