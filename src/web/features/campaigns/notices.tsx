import { Box, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { LastKnown } from '#contract/shapes.ts';
import { relativeTime } from '#core/new-york.ts';
import type { Instant } from '#core/time.ts';
import { minutes } from '#core/time.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { leaveFocusToList } from '../../lib/focus-list.ts';
import { useNow } from '../../lib/use-now.ts';

interface NotLoadedProps {
  text: string;
  query: { isFetching: boolean; refetch: () => Promise<unknown> };
}

/** What has never been loaded; it is tried again by itself, so nothing alarms (DASH-14). */
export function NotLoaded({ text, query }: NotLoadedProps) {
  return (
    <Notice>
      <Group ref={leaveFocusToList} justify="space-between" gap="xs">
        <Text fz="sm" role="status">
          {text} SmartPause keeps trying.
        </Text>
        <BusyButton
          variant="default"
          size="xs"
          isBusy={query.isFetching}
          onClick={() => void query.refetch()}
        >
          Try again
        </BusyButton>
      </Group>
    </Notice>
  );
}

const SILENCE: Record<LastKnown['because'], string> = {
  no_answer: 'Can’t reach Meta.',
  limit: 'Meta’s rate limit for this ad account is reached.',
};

/** 'Showing data from 3 minutes ago.' */
export function ageLabel(at: Instant, now: Instant): string {
  const ago = now - at < minutes(1) ? 'less than a minute ago' : relativeTime(at, now);
  return `Showing data from ${ago}.`;
}

/** Screen readers announce the reason once; the growing age is not announced. */
export function ListAge({ at, because }: LastKnown) {
  const now = useNow();
  return (
    <Notice>
      <Text fz="sm">
        <b role="status">{SILENCE[because]}</b> {ageLabel(Date.parse(at), now)}
      </Text>
    </Notice>
  );
}

function Notice({ children }: { children: ReactNode }) {
  return (
    <Box
      bg="var(--mantine-color-yellow-light)"
      c="var(--mantine-color-yellow-light-color)"
      px={{ base: 'md', sm: 'lg' }}
      py={8}
    >
      {children}
    </Box>
  );
}
