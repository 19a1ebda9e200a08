import type { SyntheticEvent } from 'react';
import { useEffect, useState } from 'react';
import { seconds } from '#core/time.ts';

export const IDLE_MS = seconds(10);

/** Whether the pointer and the focus have been outside the element for 10 s; the handlers go on the element. */
export function useIdle() {
  const [isIdle, setIsIdle] = useState(false);
  const [watch] = useState(() => idleWatch(setIsIdle));
  useEffect(() => {
    watch.restart();
    return watch.stop;
  }, [watch]);
  return { isIdle, handlers: watch.handlers };
}

/** React's events also report the focus in a dialog that the element has opened. */
export function idleWatch(onChange: (isIdle: boolean) => void) {
  let element: Element | null = null;
  let focused: EventTarget | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => clearTimeout(timer);
  const restart = () => {
    onChange(false);
    stop();
    timer = setTimeout(check, IDLE_MS);
  };
  function check(): void {
    // A focused element that is removed reports no blur.
    const hasFocus = focused !== null && focused === document.activeElement;
    if (hasFocus || element?.matches(':hover') === true) restart();
    else onChange(true);
  }
  const hear = ({ currentTarget }: Pick<SyntheticEvent, 'currentTarget'>) => {
    element = currentTarget;
    restart();
  };
  const handlers = {
    onPointerEnter: hear,
    onPointerLeave: hear,
    onFocus: (event: Pick<SyntheticEvent, 'currentTarget' | 'target'>) => {
      focused = event.target;
      hear(event);
    },
    onBlur: (event: Pick<SyntheticEvent, 'currentTarget'>) => {
      focused = null;
      hear(event);
    },
  };
  return { restart, stop, handlers };
}
