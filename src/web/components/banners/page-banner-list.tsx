import { Container, Stack } from '@mantine/core';
import { useLocation, useNavigate } from 'react-router';
import { addressOf } from '../../browser/return-to.ts';
import { useReturnTo } from '../../hooks/use-return-to.ts';
import { Banner } from './banner.tsx';
import { LEAVING_WORDS, bannerCopy } from './banner-copy.ts';

export interface PageBannerListProps {
  /** The code of `?error=CODE`. */
  inAddress: string | null;
  /** The declined permission from the address. */
  missing: string | null;
  /** The banner code for a Meta access that expires soon or has expired. */
  ofAccess: string | null;
  /** The permission that SmartPause lacks. */
  lacking: string | null;
  leaving: 'deauthorize' | 'delete' | null;
}

export function PageBannerList({ inAddress, missing, ofAccess, lacking, leaving }: PageBannerListProps) {
  const navigate = useNavigate();
  const place = useLocation();
  const returnTo = useReturnTo();
  const dismiss = () => void navigate(addressOf(place), { replace: true, preventScrollReset: true });
  return (
    <Container size="lg" w="100%" mt="md">
      <Stack gap="sm">
        {leaving !== null && <Banner words={LEAVING_WORDS[leaving]} returnTo={returnTo} />}
        {inAddress !== null && (
          <Banner words={bannerCopy(inAddress, missing)} returnTo={returnTo} onDismiss={dismiss} />
        )}
        {ofAccess !== null && ofAccess !== inAddress && (
          <Banner words={bannerCopy(ofAccess, lacking)} returnTo={returnTo} />
        )}
      </Stack>
    </Container>
  );
}
