import { Anchor } from '@mantine/core';

/** Opens a new tab, so that unsaved settings are not lost. */
function LegalLink({ href, label }: { href: string; label: string }) {
  return (
    <Anchor href={href} target="_blank" rel="noreferrer" inherit underline="always">
      {label}
    </Anchor>
  );
}

export function TermsLink() {
  return <LegalLink href="/terms" label="Terms of Service" />;
}

export function PrivacyLink() {
  return <LegalLink href="/privacy" label="Privacy Policy" />;
}
