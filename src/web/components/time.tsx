import type { ReactNode } from 'react';
import type { Instant } from '#core/time.ts';
import { ownTime } from '../lib/times.ts';

/** A time in New York's zone; the tooltip says it in the viewer's own. */
export function Time({ at, children }: { at: Instant; children: ReactNode }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={ownTime(at) ?? undefined}>
      {children}
    </time>
  );
}
