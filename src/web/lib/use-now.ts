import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';

/** The time, at most a few seconds old. */
export function useNow(): Instant {
  const [now, setNow] = useState(() => Date.now());
  useInterval(() => setNow(Date.now()), seconds(5), { autoInvoke: true });
  return now;
}
