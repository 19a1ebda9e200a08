import { Alert, Button, Container, Stack } from '@mantine/core';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { useAuth } from '../features/auth/auth-provider.tsx';
import type { BannerCopy } from '../features/auth/banner-copy.ts';
import { LEAVING_WORDS, accessCopy, bannerCopy } from '../features/auth/banner-copy.ts';
import { useReturnTo } from '../features/auth/use-return-to.ts';
import { useFailedConnection } from '../features/billing/use-failed-connection.ts';
import { addressOf, bannerCode, loginAddress } from '../lib/return-to.ts';
import { focusContent } from '../lib/native-menus.ts';
import { usePageWidth } from './use-page-width.ts';

/** Banners of every page: the code in the address, an expiring Meta access, an account deletion. */
export function PageBanners() {
  const { user } = useAuth();
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const width = usePageWidth();
  const place = useLocation();
  const code = bannerCode(params);
  const isInDialog = useFailedConnection() !== null;
  const ofAddress = code === null || isInDialog ? null : bannerCopy(code, params.get('missing'));
  const ofAccess =
    user === null || user.access === 'ok' ? null : accessCopy(user.access, user.missingPermission ?? null);
  const leaving = user?.leaving ?? null;
  if (ofAddress === null && ofAccess === null && leaving === null) return null;
  const dismiss = () => {
    focusContent();
    void navigate(addressOf(place), { replace: true, preventScrollReset: true });
  };
  return (
    <Container size={width} w="100%" mt="md">
      <Stack gap="sm">
        {leaving !== null && <Banner copy={LEAVING_WORDS[leaving]} />}
        {ofAddress !== null && ofAddress.title !== ofAccess?.title && (
          <Banner copy={ofAddress} onDismiss={dismiss} />
        )}
        {ofAccess !== null && <Banner copy={ofAccess} />}
      </Stack>
    </Container>
  );
}

interface BannerProps {
  copy: BannerCopy;
  /** Without it, the banner cannot be dismissed. */
  onDismiss?: () => void;
}

function Banner({ copy: { title, advice, color, offersLogin }, onDismiss }: BannerProps) {
  const returnTo = useReturnTo();
  return (
    <Alert
      title={title}
      color={color}
      role={color === 'red' ? 'alert' : 'status'}
      withCloseButton={onDismiss !== undefined}
      closeButtonLabel="Dismiss"
      {...(onDismiss && { onClose: onDismiss })}
    >
      {advice}{' '}
      {offersLogin && (
        <Button component="a" href={loginAddress(returnTo)} display="block" w="fit-content" mt="xs" size="xs">
          Log in again
        </Button>
      )}
    </Alert>
  );
}
