import type { TitleProps } from '@mantine/core';
import { Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { nameTab } from '../lib/tab.ts';

interface PageHeadingProps extends Omit<TitleProps, 'order'> {
  /** The document title, where the heading is too long. */
  name?: string;
  children: string;
}

/** The path of the last main heading; at first the entry page, whose heading takes no focus. */
let lastShownAt = window.location.pathname;

/** The page's main heading: it sets the title, and takes the focus after a navigation inside the site. */
export function PageHeading({ name, children, ...rest }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    nameTab(name ?? children);
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
