import { Alert, Anchor } from '@mantine/core';
import { loginAddress } from '../../browser/return-to.ts';
import type { BannerWords } from './banner-words.ts';

interface BannerProps {
  words: BannerWords;
  /** Where a login from here comes back to. */
  returnTo: string;
  /** Without it, the banner stays for as long as it is true. */
  onDismiss?: () => void;
}

/** What a page says above all else. */
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
