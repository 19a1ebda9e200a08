import { Anchor, Button } from '@mantine/core';
import { Link } from 'react-router';

// Each use sets its own address.

export const LinkButton = Button.withProps<typeof Link>({ component: Link, to: '' });

const inSentence = { inherit: true, underline: 'always' } as const;

export const TextLink = Anchor.withProps<typeof Link>({ component: Link, to: '', ...inSentence });

/** Inside the sentence of a banner. */
export const BannerLink = Anchor.withProps<typeof Link>({
  component: Link,
  to: '',
  ...inSentence,
  c: 'inherit',
  fw: 600,
});

const inNewTab = { target: '_blank', rel: 'noreferrer', ...inSentence };

/** Leaves the page as it is, so that unsaved settings are not lost. */
export const NewTabLink = Anchor.withProps(inNewTab);
export const TermsLink = Anchor.withProps({ ...inNewTab, href: '/terms', children: 'Terms of Service' });
export const PrivacyLink = Anchor.withProps({ ...inNewTab, href: '/privacy', children: 'Privacy Policy' });
