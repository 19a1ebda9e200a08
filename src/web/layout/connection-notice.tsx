import { Box, Container, Text } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { usePlatformStatus } from '../features/status/api.ts';
import { useAuth } from '../features/auth/auth-provider.tsx';
import { UNREACHABLE } from '../features/status/status-words.ts';

/** Shown on every page while the browser is offline or our server does not answer. */
export function ConnectionNotice() {
  const { online } = useNetwork();
  const status = usePlatformStatus(useAuth().token !== null);
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
              {online ? (
                <>
                  <b>{UNREACHABLE}.</b> This page may be out of date. We’re retrying automatically.
                </>
              ) : (
                <>
                  <b>You’re offline.</b> This page may be out of date until you’re back online.
                </>
              )}
            </Text>
          </Container>
        </Box>
      )}
    </Box>
  );
}
