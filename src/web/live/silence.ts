import { seconds } from '#core/time.ts';

/** The server gives a sign of life every 20 s. */
const SILENCE_MS = seconds(50);

export interface Silence {
  /** There was a sign of life; from the first on, the next one is expected. */
  onSign: () => void;
  stop: () => void;
}

/** Tells when no sign of life has followed the last one for too long. */
export function watchForSilence(onSilence: () => void): Silence {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => clearTimeout(timer);
  return {
    onSign: () => {
      stop();
      timer = setTimeout(onSilence, SILENCE_MS);
    },
    stop,
  };
}
