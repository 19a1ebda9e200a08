import { Text } from '@mantine/core';
import { relativeTime } from '#core/new-york.ts';
import type { Instant } from '#core/time.ts';
import { minutes } from '#core/time.ts';
import type { Aging } from '../lib/stale.ts';
import { staleSince } from '../lib/stale.ts';
import { useNow } from '../lib/use-now.ts';

export const Notice = Text.withProps<'div'>({
  component: 'div',
  bg: 'var(--mantine-color-yellow-light)',
  c: 'var(--mantine-color-yellow-light-color)',
  px: { base: 'md', sm: 'lg' },
  py: 8,
  fz: 'sm',
});

/** 'Showing data from 3 minutes ago.' */
export function ageLabel(at: Instant, now: Instant): string {
  const ago = now - at < minutes(1) ? 'less than a minute ago' : relativeTime(at, now);
  return `Showing data from ${ago}.`;
}

/** How old the data of these queries is, if it cannot be read again. The growing age is not announced. */
export function Stale({ queries, what }: { queries: readonly Aging[]; what: string }) {
  const now = useNow();
  const at = staleSince(...queries);
  if (at === null) return null;
  return (
    <Notice mb="sm" style={{ borderRadius: 'var(--mantine-radius-default)' }}>
      <b role="status">Can’t update {what}.</b> {ageLabel(at, now)}
    </Notice>
  );
}
