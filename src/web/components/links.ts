import { Anchor, Button } from '@mantine/core';
import { Link } from 'react-router';

// Each use sets its own address.

export const LinkButton = Button.withProps<typeof Link>({ component: Link, to: '' });

/** Inside a sentence. */
export const TextLink = Anchor.withProps<typeof Link>({
  component: Link,
  to: '',
  inherit: true,
  underline: 'always',
});

/** Inside the sentence of a banner. */
export const BannerLink = Anchor.withProps<typeof Link>({
  component: Link,
  to: '',
  inherit: true,
  underline: 'always',
  c: 'inherit',
  fw: 600,
});
