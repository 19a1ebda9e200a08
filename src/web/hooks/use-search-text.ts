import { useEffect, useEffectEvent, useState } from 'react';

const REST_MS = 250;

/**
 * What stands in the search box. The address follows when the typing rests, since browsers allow only so many changes
 * of it; and when the address changes otherwise, as with 'back', the box follows it.
 * @param write must have the address changed when it returns, so that no letter typed meanwhile is lost
 */
export function useSearchText(inAddress: string, write: (text: string) => void) {
  const [box, setBox] = useState({ text: inAddress, lastInAddress: inAddress });
  if (box.lastInAddress !== inAddress) setBox({ text: inAddress, lastInAddress: inAddress });
  const { text } = box;
  const onRest = useEffectEvent(write);
  useEffect(() => {
    if (text === inAddress) return;
    const timer = setTimeout(() => onRest(text), REST_MS);
    return () => clearTimeout(timer);
  }, [text, inAddress]);
  const setText = (next: string) => setBox((before) => ({ ...before, text: next }));
  return [text, setText] as const;
}
