import { Box, Container, Text } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { useAuth } from '../features/auth/auth-provider.tsx';
import { UNREACHABLE, usePlatformStatus } from '../features/status/api.ts';

/** Shown on every page while the browser is offline or our server does not answer. */
export function ConnectionNotice() {
  const { online } = useNetwork();
  const status = usePlatformStatus(useAuth().token !== null);
  const [title, text] = online
    ? [UNREACHABLE, 'This page may be out of date. We’re retrying automatically.']
    : ['You’re offline', 'This page may be out of date until you’re back online.'];
  return (
    <Box role="status" pos="sticky" top={0} style={{ zIndex: 150 }}>
      {(!online || status?.isUnreachable === true) && (
        <Box
          bg="var(--mantine-color-yellow-light)"
          c="var(--mantine-color-yellow-light-color)"
          py={8}
          style={{ borderBottom: '1px solid var(--mantine-color-default-border)' }}
        >
          <Container size="lg">
            <Text fz="sm">
              <b>{title}.</b> {text}
            </Text>
          </Container>
        </Box>
      )}
    </Box>
  );
}
