import type { MouseEvent, RefObject } from 'react';

export const CONTENT_ID = 'content';

/**
 * The first Tab stop.
 * @param to the target, unless the browser's own navigation is enough
 */
export function SkipLink({ to }: { to?: RefObject<HTMLElement | null> }) {
  const onSkip = (event: MouseEvent) => {
    // The address keeps no fragment: a shared address means the page.
    event.preventDefault();
    to?.current?.focus();
  };
  return (
    <a href={`#${CONTENT_ID}`} className="skip" {...(to !== undefined && { onClick: onSkip })}>
      Skip to content
    </a>
  );
}
