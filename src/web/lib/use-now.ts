import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';
import { serverNow } from './server-clock.ts';

/** The server's time, at most this old. */
export function useNow(ageMs = seconds(5)): Instant {
  const [now, setNow] = useState(serverNow);
  useInterval(() => setNow(serverNow()), ageMs, { autoInvoke: true });
  return now;
}
