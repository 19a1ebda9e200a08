import { Container, Stack } from '@mantine/core';
import { useLocation, useNavigate } from 'react-router';
import { addressOf } from '../../browser/return-to.ts';
import { useReturnTo } from '../../hooks/use-return-to.ts';
import { Banner } from './banner.tsx';
import { LEAVING_WORDS, accessCopy, bannerCopy } from './banner-copy.ts';

export interface PageBannerListProps {
  /** The code of `?error=CODE`. */
  inAddress: string | null;
  /** The declined permission from the address. */
  missing: string | null;
  /** The user's Meta access expires soon or has expired. */
  access: 'stale' | 'expired' | null;
  /** The permission that SmartPause lacks. */
  lacking: string | null;
  leaving: 'deauthorize' | 'delete' | null;
}

export function PageBannerList({ inAddress, missing, access, lacking, leaving }: PageBannerListProps) {
  const navigate = useNavigate();
  const place = useLocation();
  const returnTo = useReturnTo();
  const dismiss = () => void navigate(addressOf(place), { replace: true, preventScrollReset: true });
  const ofAddress = inAddress === null ? null : bannerCopy(inAddress, missing);
  const ofAccess = access === null ? null : accessCopy(access, lacking);
  return (
    <Container size="lg" w="100%" mt="md">
      <Stack gap="sm">
        {leaving !== null && <Banner words={LEAVING_WORDS[leaving]} returnTo={returnTo} />}
        {ofAddress !== null && ofAddress.title !== ofAccess?.title && (
          <Banner words={ofAddress} returnTo={returnTo} onDismiss={dismiss} />
        )}
        {ofAccess !== null && <Banner words={ofAccess} returnTo={returnTo} />}
      </Stack>
    </Container>
  );
}
