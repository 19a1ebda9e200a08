import { Stack } from '@mantine/core';
import { useState } from 'react';
import { BusyButton } from './busy-button.tsx';
import { Muted } from './muted.ts';

interface ShowMoreProps {
  /** The part of an infinite query that this needs. */
  query: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    fetchNextPage: () => Promise<unknown>;
  };
  /** Says that the last page is loaded. */
  end: string;
}

/** Loads the next page of a list. After the last one the button stays: it may have the keyboard focus. */
export function ShowMore({ query, end }: ShowMoreProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const [wasPressed, setPressed] = useState(false);
  if (!hasNextPage && !wasPressed) return null;
  const onPress = () => {
    setPressed(true);
    void fetchNextPage();
  };
  return (
    <Stack gap="xs">
      {isFetchNextPageError && <Muted role="alert">More couldn’t be loaded.</Muted>}
      <BusyButton
        variant={hasNextPage ? 'default' : 'transparent'}
        color="gray"
        size="sm"
        fullWidth
        isBusy={isFetchingNextPage}
        isInert={isFetchingNextPage || !hasNextPage}
        onClick={onPress}
      >
        {hasNextPage ? 'Show more' : end}
      </BusyButton>
    </Stack>
  );
}
