import { Box } from '@mantine/core';
import { PracticeBannerToFill } from '../components/banners/practice-banner.tsx';
import { CONTENT_ID, SkipLink } from '../components/layout/skip-link.tsx';
import { ADDRESS_BANNER_ID } from './address-banner-place.ts';
import { LandingContent } from './landing-content.tsx';
import { LandingFooter } from './landing-footer.tsx';
import { LandingHeader } from './landing-header.tsx';

/** The page for everybody without a session: all of it is readable, and every link works, without a script. */
export function Landing() {
  return (
    <Box mih="100dvh" style={{ display: 'flex', flexDirection: 'column' }}>
      <SkipLink />
      <PracticeBannerToFill />
      <LandingHeader />
      <div id={ADDRESS_BANNER_ID} />
      <Box component="main" id={CONTENT_ID} tabIndex={-1} style={{ flex: 1 }}>
        <LandingContent />
      </Box>
      <LandingFooter />
    </Box>
  );
}
