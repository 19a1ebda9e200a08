import type { TitleProps } from '@mantine/core';
import { Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

interface PageHeadingProps extends Omit<TitleProps, 'order'> {
  /** What the window is called by, where the heading itself would be too long. */
  name?: string;
  children: string;
}

/** Where a main heading was shown last, or where the site was entered: a page just opened begins at its top. */
let lastShownAt = window.location.pathname;

/** The page's one main heading: it names the window, and after a step inside the site it has the focus. */
export function PageHeading({ name, children, ...rest }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    document.title = `${name ?? children} · SmartPause`;
  }, [name, children]);
  useEffect(() => {
    if (lastShownAt !== pathname) heading.current?.focus({ preventScroll: true });
    lastShownAt = pathname;
  }, [pathname]);
  return (
    <Title order={1} ref={heading} tabIndex={-1} {...rest}>
      {children}
    </Title>
  );
}
