import { Box, Container, Text } from '@mantine/core';
import type { Connection } from '../../api/connection.ts';
import { useConnection } from '../../api/connection.ts';
import { UNREACHABLE } from '../../text/status-words.ts';

const WORDS: Record<Exclude<Connection, 'fine'>, readonly [what: string, then: string]> = {
  offline: ['You’re offline.', 'This page may be out of date until you’re back online.'],
  unreachable: [`${UNREACHABLE}.`, 'This page may be out of date. We’re retrying automatically.'],
};

/** Shown on every page while our server does not answer. */
export function ConnectionNotice() {
  const connection = useConnection();
  return (
    <Box role="status" pos="sticky" top={0} style={{ zIndex: 150 }}>
      {connection !== 'fine' && (
        <Box
          bg="var(--mantine-color-yellow-light)"
          c="var(--mantine-color-yellow-light-color)"
          py={8}
          style={{ borderBottom: '1px solid var(--mantine-color-default-border)' }}
        >
          <Container size="lg">
            <Text fz="sm">
              <b>{WORDS[connection][0]}</b> {WORDS[connection][1]}
            </Text>
          </Container>
        </Box>
      )}
    </Box>
  );
}
