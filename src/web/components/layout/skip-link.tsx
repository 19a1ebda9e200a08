import type { MouseEvent, RefObject } from 'react';

export const CONTENT_ID = 'content';

/**
 * The first thing that Tab reaches.
 * @param to unless the browser's own way of getting there will do
 */
export function SkipLink({ to }: { to?: RefObject<HTMLElement | null> }) {
  const onSkip = (event: MouseEvent) => {
    // The address stays as it is: whoever shares it means the page.
    event.preventDefault();
    to?.current?.focus();
  };
  return (
    <a href={`#${CONTENT_ID}`} className="skip" {...(to !== undefined && { onClick: onSkip })}>
      Skip to content
    </a>
  );
}
