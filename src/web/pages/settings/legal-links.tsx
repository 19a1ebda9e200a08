import { Anchor } from '@mantine/core';

/** In a new tab, so that nothing that was typed in the settings is lost. */
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
