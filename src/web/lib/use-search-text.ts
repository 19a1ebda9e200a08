import { useEffect, useEffectEvent, useState } from 'react';

const REST_MS = 250;

/**
 * The text of the search box. The address follows when typing pauses, since browsers limit address changes.
 * When the address changes otherwise, as with 'back', the box follows.
 * @param write must change the address before it returns, or letters typed in between are lost
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
