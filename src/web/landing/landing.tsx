import { Anchor, Box } from '@mantine/core';
import { DemoBannerToFill } from '../components/banners/demo-banner.tsx';
import { Footer } from '../components/layout/footer.tsx';
import { LEGAL_PAGES } from '../components/layout/legal-pages.ts';
import { CONTENT_ID, SkipLink } from '../components/layout/skip-link.tsx';
import { ADDRESS_BANNER_ID } from './address-banner-place.ts';
import { LandingContent } from './landing-content.tsx';
import { LandingHeader } from './landing-header.tsx';

/** The page for visitors: all text and links work without a script. */
export function Landing() {
  return (
    <Box mih="100dvh" style={{ display: 'flex', flexDirection: 'column' }}>
      <SkipLink />
      <DemoBannerToFill />
      <LandingHeader />
      <div id={ADDRESS_BANNER_ID} />
      <Box component="main" id={CONTENT_ID} tabIndex={-1} style={{ flex: 1 }}>
        <LandingContent />
      </Box>
      <Footer>
        <Anchor href="/status" fz="sm" c="dimmed" py={4}>
          Meta status
        </Anchor>
        {LEGAL_PAGES.map(({ to, label }) => (
          <Anchor key={to} href={to} fz="sm" c="dimmed" py={4}>
            {label}
          </Anchor>
        ))}
      </Footer>
    </Box>
  );
}
