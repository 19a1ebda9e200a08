import type { ButtonProps, TextProps } from '@mantine/core';
import { Button } from '@mantine/core';
import { useLocation } from 'react-router';
import { LinkButton } from '../components/links.ts';
import { Muted } from '../components/muted.ts';
import { useAuth } from '../features/auth/auth-provider.tsx';
import { useReturnTo } from '../features/auth/use-return-to.ts';
import { loginAddress } from '../lib/return-to.ts';

export function Greeting(props: TextProps) {
  const { user } = useAuth();
  if (user === null) return null;
  return (
    <Muted px="xs" miw={0} title={user.name} style={{ overflowWrap: 'anywhere' }} {...props}>
      Welcome, {user.name}
    </Muted>
  );
}

export function LogButton(props: ButtonProps) {
  const { token, logout } = useAuth();
  const returnTo = useReturnTo();
  const look = { variant: 'default', size: 'sm', flex: 'none', ...props } as const;
  return token === null ? (
    <Button component="a" href={loginAddress(returnTo)} {...look}>
      Log In
    </Button>
  ) : (
    <Button onClick={logout} {...look}>
      Log out
    </Button>
  );
}

/** For visitors; the pricing page itself has the same action. */
export function TrialButton(props: ButtonProps) {
  const { token } = useAuth();
  const { pathname } = useLocation();
  if (token !== null || pathname === '/payment') return null;
  return (
    <LinkButton to="/payment" size="sm" flex="none" {...props}>
      Start Free Trial
    </LinkButton>
  );
}
