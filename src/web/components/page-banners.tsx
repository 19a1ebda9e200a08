import { Container, Stack } from '@mantine/core';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import type { AccessState } from '#core/platform-access.ts';
import { useAuth } from '../auth.tsx';
import { addressOf, bannerCode } from '../return-to.ts';
import { useReturnTo } from '../use-return-to.ts';
import { Banner } from './banner.tsx';
import { LEAVING_WORDS, bannerWords } from './banner-words.ts';

const CODE_OF: Record<AccessState, string | null> = {
  ok: null,
  stale: 'TOKEN_STALE',
  expired: 'TOKEN_EXPIRED',
};

/** What every page says above all else: what the address wants to say, that Meta's permission lapses, that somebody is leaving. */
export function PageBanners() {
  const { user } = useAuth();
  const [params] = useSearchParams();
  const returnTo = useReturnTo();
  const inAddress = bannerCode(params);
  const ofAccess = user === null ? null : CODE_OF[user.access];
  const leaving = user?.leaving ?? null;
  if (inAddress === null && ofAccess === null && leaving === null) return null;
  return (
    <Container size="lg" w="100%" mt="md">
      <Stack gap="sm">
        {leaving !== null && <Banner words={LEAVING_WORDS[leaving]} returnTo={returnTo} />}
        {inAddress !== null && <AddressBanner code={inAddress} missing={params.get('missing')} />}
        {ofAccess !== null && ofAccess !== inAddress && (
          <Banner words={bannerWords(ofAccess)} returnTo={returnTo} />
        )}
      </Stack>
    </Container>
  );
}

/** `?error=CODE`, on any page, until it is dismissed. */
function AddressBanner({ code, missing }: { code: string; missing: string | null }) {
  const navigate = useNavigate();
  const place = useLocation();
  const returnTo = useReturnTo();
  const dismiss = () => void navigate(addressOf(place), { replace: true, preventScrollReset: true });
  return <Banner words={bannerWords(code, missing)} returnTo={returnTo} onDismiss={dismiss} />;
}
