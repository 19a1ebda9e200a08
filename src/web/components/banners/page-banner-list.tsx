import { Container, Stack } from '@mantine/core';
import { useLocation, useNavigate } from 'react-router';
import { addressOf } from '../../browser/return-to.ts';
import { useReturnTo } from '../../hooks/use-return-to.ts';
import { Banner } from './banner.tsx';
import { LEAVING_WORDS, bannerWords } from './banner-words.ts';

export interface PageBannerListProps {
  /** The code of `?error=CODE`. */
  inAddress: string | null;
  /** The permission that was declined, as the address has it. */
  missing: string | null;
  /** The code of an access to Meta that ends or has ended. */
  ofAccess: string | null;
  leaving: 'deauthorize' | 'delete' | null;
}

export function PageBannerList({ inAddress, missing, ofAccess, leaving }: PageBannerListProps) {
  const navigate = useNavigate();
  const place = useLocation();
  const returnTo = useReturnTo();
  const dismiss = () => void navigate(addressOf(place), { replace: true, preventScrollReset: true });
  return (
    <Container size="lg" w="100%" mt="md">
      <Stack gap="sm">
        {leaving !== null && <Banner words={LEAVING_WORDS[leaving]} returnTo={returnTo} />}
        {inAddress !== null && (
          <Banner words={bannerWords(inAddress, missing)} returnTo={returnTo} onDismiss={dismiss} />
        )}
        {ofAccess !== null && ofAccess !== inAddress && (
          <Banner words={bannerWords(ofAccess)} returnTo={returnTo} />
        )}
      </Stack>
    </Container>
  );
}
