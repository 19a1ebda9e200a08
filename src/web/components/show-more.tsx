import { Stack } from '@mantine/core';
import { useState } from 'react';
import { BusyButton } from './busy-button.tsx';
import { LoadFailure } from './load-failure.tsx';
import { Muted } from './muted.ts';

interface ShowMoreProps {
  /** The part of an infinite query that this needs. */
  query: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    fetchNextPage: () => Promise<unknown>;
  };
  /** Replaces the button after the last page. */
  end: string;
}

/** Loads the next page of a list. After the last one its place keeps the keyboard focus. */
export function ShowMore({ query, end }: ShowMoreProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const [wasPressed, setPressed] = useState(false);
  const onPress = () => {
    setPressed(true);
    void fetchNextPage();
  };
  if (!hasNextPage) {
    if (!wasPressed) return null;
    return (
      <Muted ta="center" role="status" tabIndex={-1} ref={takeFocus}>
        {end}
      </Muted>
    );
  }
  return (
    <Stack gap="xs">
      {isFetchNextPageError && (
        <LoadFailure text="More couldn’t be loaded." isTrying={isFetchingNextPage} onTry={onPress} />
      )}
      {!isFetchNextPageError && (
        <BusyButton variant="default" size="sm" fullWidth isBusy={isFetchingNextPage} onClick={onPress}>
          Show more
        </BusyButton>
      )}
    </Stack>
  );
}

function takeFocus(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
}
