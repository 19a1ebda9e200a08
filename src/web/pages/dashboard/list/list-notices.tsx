import { Box, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { LastKnown } from '#contract/shapes.ts';
import { isRefusal } from '../../../api/call.ts';
import { BusyButton } from '../../../components/busy-button.tsx';
import { useNow } from '../../../hooks/use-now.ts';
import { ageLabel, silenceCopy } from './list-age-copy.ts';

/** Screen readers announce the reason once; the growing age is not announced. */
export function ListAge({ at, because }: LastKnown) {
  const now = useNow();
  return (
    <Notice mb="sm">
      <Text fz="sm">
        <b role="status">{silenceCopy(because)}</b> {ageLabel(Date.parse(at), now)}
      </Text>
    </Notice>
  );
}

interface NoListProps {
  failure: Error;
  isTrying: boolean;
  onTry: () => void;
}

/** The list of this ad account was never read, so there is no older one to show. */
export function NoList({ failure, isTrying, onTry }: NoListProps) {
  return (
    <Notice>
      <Group justify="space-between" gap="xs">
        <Text fz="sm" role="status">
          {isRefusal(failure, 'PLATFORM_UNAVAILABLE')
            ? 'Can’t reach Meta, and there’s no saved list for this ad account yet.'
            : 'Can’t load the campaigns of this ad account.'}{' '}
          SmartPause keeps trying.
        </Text>
        <BusyButton variant="default" size="xs" isBusy={isTrying} onClick={onTry}>
          Try again
        </BusyButton>
      </Group>
    </Notice>
  );
}

function Notice({ mb = 0, children }: { mb?: 'sm' | 0; children: ReactNode }) {
  return (
    <Box
      bg="var(--mantine-color-yellow-light)"
      c="var(--mantine-color-yellow-light-color)"
      px={{ base: 'md', sm: 'lg' }}
      py={8}
      mb={mb}
    >
      {children}
    </Box>
  );
}
