import type { ReactNode } from 'react';
import { fullTime } from '#core/new-york.ts';
import type { Instant } from '#core/time.ts';
import { besideOwn, ownTime } from '../lib/times.ts';

interface TimeProps {
  at: Instant | string;
  /** The end of a span whose start is `at`; null: it is not over. */
  until?: Instant | null;
  /** The words for it; usually its full time. */
  children?: ReactNode;
  /** 'Two minutes ago' is the same everywhere: the viewer's own time is only the title. */
  isRelative?: boolean;
}

/**
 * A time in New York's zone, with the viewer's own beside it where that differs: the label EST misleads who converts
 * it, above all in summer.
 */
export function Time({ at, until = null, children, isRelative = false }: TimeProps) {
  const instant = new Date(at).getTime();
  return (
    <>
      <time dateTime={new Date(at).toISOString()} title={ownTime(instant) ?? undefined}>
        {children ?? fullTime(instant)}
      </time>
      {!isRelative && besideOwn(instant, until)}
    </>
  );
}
