import { Container, Stack } from '@mantine/core';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { useAuth } from '../features/auth/auth-provider.tsx';
import { addressOf, bannerCode } from '../lib/return-to.ts';
import { useReturnTo } from '../features/auth/use-return-to.ts';
import { Banner } from './banner.tsx';
import { LEAVING_WORDS, accessCopy, bannerCopy } from './banner-copy.ts';

/** Banners of every page: the code in the address, an expiring Meta access, an account deletion. */
export function PageBanners() {
  const { user } = useAuth();
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const place = useLocation();
  const returnTo = useReturnTo();
  const code = bannerCode(params);
  const ofAddress = code === null ? null : bannerCopy(code, params.get('missing'));
  const ofAccess =
    user === null || user.access === 'ok' ? null : accessCopy(user.access, user.missingPermission ?? null);
  const leaving = user?.leaving ?? null;
  if (ofAddress === null && ofAccess === null && leaving === null) return null;
  const dismiss = () => void navigate(addressOf(place), { replace: true, preventScrollReset: true });
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
