import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';

/** The time, at most this old. */
export function useNow(ageMs = seconds(5)): Instant {
  const [now, setNow] = useState(() => Date.now());
  useInterval(() => setNow(Date.now()), ageMs, { autoInvoke: true });
  return now;
}
