import { Anchor, Box, Divider, Drawer, Group, Stack, Text } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useAuth } from '../../auth.tsx';
import { usePlatformStatus } from '../../api/queries.ts';
import { ColorThemeChoice } from './color-theme-choice.tsx';
import { LEGAL_PAGES } from './legal-pages.ts';
import { useOwnPages } from './own-pages.ts';
import { Greeting, LogButton } from './session-parts.tsx';
import { StatusDetails } from '../status-indicator.tsx';
import { StatusMark } from '../status-mark.tsx';

interface MobileDrawerProps {
  opened: boolean;
  onClose: () => void;
}

/** What the header has, where it has no room for it. */
export function MobileDrawer({ opened, onClose }: MobileDrawerProps) {
  const loggedIn = useAuth().token !== null;
  const ownPages = useOwnPages();
  // It opens after it is there, so that it knows where the focus was, and gives it back.
  const isThere = useMounted();
  return (
    <Drawer
      opened={opened && isThere}
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
