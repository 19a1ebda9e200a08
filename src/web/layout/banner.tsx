import { Alert, Anchor } from '@mantine/core';
import { loginAddress } from '../lib/return-to.ts';
import type { BannerCopy } from './banner-copy.ts';

interface BannerProps {
  words: BannerCopy;
  /** The page that a login from here returns to. */
  returnTo: string;
  /** Without it, the banner cannot be dismissed. */
  onDismiss?: () => void;
}

export function Banner({ words, returnTo, onDismiss }: BannerProps) {
  const { title, advice, color, offersLogin } = words;
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
