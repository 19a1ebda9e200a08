import { Box, Burger, Button, Group, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from 'react-router';
import { useAuth } from '../../auth.tsx';
import { usePlatformStatus } from '../../api/queries.ts';
import { statusText } from '../../text/status-words.ts';
import { Chevron } from '../chevron.tsx';
import { HeaderBar } from './header-bar.tsx';
import { LEGAL_PAGES } from './legal-pages.ts';
import { Logo } from './logo.tsx';
import { useOwnPages } from './own-pages.ts';
import { useCurrentPage } from '../../hooks/use-current-page.ts';
import { Greeting, LogButton, TrialButton } from './session-parts.tsx';
import { StatusAnnouncer, StatusIndicator } from '../status-indicator.tsx';
import { StatusShape } from '../status-mark.tsx';
import { MobileDrawer } from './mobile-drawer.tsx';
import { LinkButton } from '../links.ts';

export function Header() {
  const loggedIn = useAuth().token !== null;
  const ownPages = useOwnPages();
  const current = useCurrentPage();
  return (
    <HeaderBar
      home={
        <Link to="/" className="plain" aria-label="SmartPause home">
          <Logo />
        </Link>
      }
    >
      <Group component="nav" aria-label="Main" gap="xs" visibleFrom="md" wrap="nowrap" miw={0}>
        {/* Items that load late come first, so that no link moves under the pointer. */}
        <Greeting />
        {loggedIn && <StatusIndicator />}
        <AboutMenu />
        {ownPages.map(({ to, label }) => (
          <LinkButton key={to} to={to} {...current(to)} variant="subtle" color="gray" size="sm" flex="none">
            {label}
          </LinkButton>
        ))}
        <LogButton />
        <TrialButton />
      </Group>
      <MobileMenu />
      {loggedIn && <StatusAnnouncer />}
    </HeaderBar>
  );
}

function AboutMenu() {
  const current = useCurrentPage();
  return (
    <Menu shadow="md" width={200} transitionProps={{ duration: 120 }} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button variant="subtle" color="gray" size="sm" flex="none" rightSection={<Chevron />}>
          About
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {LEGAL_PAGES.map(({ to, label }) => (
          <Menu.Item key={to} component={Link} to={to} {...current(to)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function MobileMenu() {
  const [opened, { toggle, close }] = useDisclosure(false);
  return (
    <Box hiddenFrom="md">
      <BurgerWithDot opened={opened} toggle={toggle} />
      <MobileDrawer opened={opened} onClose={close} />
    </Box>
  );
}

function BurgerWithDot({ opened, toggle }: { opened: boolean; toggle: () => void }) {
  const status = usePlatformStatus(useAuth().token !== null);
  const suffix = status === null ? '' : `, ${statusText(status)}`;
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
