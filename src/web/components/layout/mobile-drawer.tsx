import './drawer-styles.css';
import { Anchor, Box, Divider, Drawer, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useAuth } from '../../auth.tsx';
import { usePlatformStatus } from '../../api/queries.ts';
import { ColorThemeChoice } from './color-theme-choice.tsx';
import { LEGAL_PAGES } from './legal-pages.ts';
import { useOwnPages } from './own-pages.ts';
import { useCurrentPage } from '../../hooks/use-current-page.ts';
import { Greeting, LogButton, TrialButton } from './session-parts.tsx';
import { StatusDetails } from '../status-indicator.tsx';
import { StatusMark } from '../status-mark.tsx';
import { Muted } from '../muted.ts';

interface MobileDrawerProps {
  opened: boolean;
  onClose: () => void;
}

/** The header links for small screens. */
export function MobileDrawer({ opened, onClose }: MobileDrawerProps) {
  const loggedIn = useAuth().token !== null;
  const ownPages = useOwnPages();
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size="min(84vw, 320px)"
      title="Menu"
      closeButtonProps={{ 'aria-label': 'Close menu' }}
      zIndex={300}
    >
      <Stack component="nav" aria-label="Main" gap="xs">
        {loggedIn && <MobileStatus />}
        <Greeting />
        {[...ownPages, ...LEGAL_PAGES].map(({ to, label }) => (
          <MobileLink key={to} to={to} onClick={onClose}>
            {label}
          </MobileLink>
        ))}
        <Divider my="xs" />
        <TrialButton fullWidth />
        <LogButton fullWidth />
        <Group justify="center" mt="xs">
          <ColorThemeChoice />
        </Group>
      </Stack>
    </Drawer>
  );
}

function MobileStatus() {
  const status = usePlatformStatus();
  if (status === null) return null;
  return (
    <Box p="sm" bg="var(--mantine-color-default-hover)" style={{ borderRadius: 'var(--mantine-radius-md)' }}>
      <StatusMark level={status.status} prefix="Meta" />
      <Muted component="div" mt={4}>
        <StatusDetails status={status} />
      </Muted>
    </Box>
  );
}

function MobileLink({ to, onClick, children }: { to: string; onClick: () => void; children: ReactNode }) {
  const current = useCurrentPage();
  return (
    <Anchor component={Link} to={to} {...current(to)} onClick={onClick} py={8} px="xs" c="inherit" fw={550}>
      {children}
    </Anchor>
  );
}
