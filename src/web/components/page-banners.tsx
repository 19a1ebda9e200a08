import { Alert, Anchor, Container, Stack } from '@mantine/core';
import { useSearchParams } from 'react-router';
import type { AccessState } from '#core/platform-access.ts';
import { useReturnTo, withoutError } from '../return-to.ts';
import { loginAddress, useSession } from '../session.tsx';
import type { BannerWords } from './banner-words.ts';
import { bannerWords } from './banner-words.ts';

const CODE_OF: Record<AccessState, string | null> = {
  ok: null,
  stale: 'TOKEN_STALE',
  expired: 'TOKEN_EXPIRED',
};

/** What every page says above all else: what the address wants to say, and that Meta's permission lapses. */
export function PageBanners() {
  const session = useSession();
  const [params] = useSearchParams();
  const inAddress = params.get('error');
  const ofAccess = session.state === 'logged_in' ? CODE_OF[session.user.access] : null;
  if (inAddress === null && ofAccess === null) return null;
  return (
    <Container size="lg" w="100%" mt="md">
      <Stack gap="sm">
        {inAddress !== null && <AddressBanner code={inAddress} missing={params.get('missing')} />}
        {ofAccess !== null && ofAccess !== inAddress && <Banner words={bannerWords(ofAccess)} />}
      </Stack>
    </Container>
  );
}

/** `?error=CODE`, on any page, until it is dismissed. */
function AddressBanner({ code, missing }: { code: string; missing: string | null }) {
  const [, setParams] = useSearchParams();
  const dismiss = () => setParams(withoutError, { replace: true });
  return <Banner words={bannerWords(code, missing)} onDismiss={dismiss} />;
}

/** Without a way to dismiss it, it stays for as long as it is true. */
function Banner({ words, onDismiss }: { words: BannerWords; onDismiss?: () => void }) {
  const { title, advice, color, offersLogin } = words;
  const returnTo = useReturnTo();
  return (
    <Alert
      title={title}
      color={color}
      role={color === 'red' ? 'alert' : 'status'}
      {...(onDismiss !== undefined && {
        withCloseButton: true,
        closeButtonLabel: 'Dismiss',
        onClose: onDismiss,
      })}
    >
      {advice}
      {offersLogin && (
        <>
          {' '}
          <Anchor
            href={loginAddress(returnTo)}
            inherit
            c="inherit"
            fw={600}
            underline="always"
            style={{ whiteSpace: 'nowrap' }}
          >
            Log in again
          </Anchor>
        </>
      )}
    </Alert>
  );
}
