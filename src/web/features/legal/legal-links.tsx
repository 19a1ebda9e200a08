import { Anchor } from '@mantine/core';

/** Opens a new tab, so that unsaved settings are not lost. */
const NewTabLink = Anchor.withProps({
  target: '_blank',
  rel: 'noreferrer',
  inherit: true,
  underline: 'always',
});

export const TermsLink = () => <NewTabLink href="/terms">Terms of Service</NewTabLink>;
export const PrivacyLink = () => <NewTabLink href="/privacy">Privacy Policy</NewTabLink>;
