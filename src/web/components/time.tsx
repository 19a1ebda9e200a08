import type { ReactNode } from 'react';
import { fullTime } from '#core/new-york.ts';
import type { Instant } from '#core/time.ts';
import { ownTime } from '../lib/times.ts';

interface TimeProps {
  at: Instant | string;
  /** The words for it; usually its full time. */
  children?: ReactNode;
}

/** A time in New York's zone; the tooltip says it in the viewer's own. */
export function Time({ at, children }: TimeProps) {
  const instant = new Date(at).getTime();
  return (
    <time dateTime={new Date(at).toISOString()} title={ownTime(instant) ?? undefined}>
      {children ?? fullTime(instant)}
    </time>
  );
}
