import { Button } from '@mantine/core';
import { useLocation } from 'react-router';
import { useAuth } from '../features/auth/auth-provider.tsx';
import { loginAddress } from '../lib/return-to.ts';
import { useReturnTo } from '../features/auth/use-return-to.ts';
import { LinkButton } from '../components/links.ts';
import { Muted } from '../components/muted.ts';

export function Greeting() {
  const { user } = useAuth();
  if (user === null) return null;
  return (
    <Muted px="xs" maw={220} miw={0} truncate title={user.name}>
      Welcome, {user.name}
    </Muted>
  );
}

export function LogButton({ fullWidth = false }: { fullWidth?: boolean }) {
  const { token, logout } = useAuth();
  const returnTo = useReturnTo();
  if (token === null) {
    return (
      <Button
        component="a"
        href={loginAddress(returnTo)}
        variant="default"
        size="sm"
        flex="none"
        fullWidth={fullWidth}
      >
        Log In
      </Button>
    );
  }
  return (
    <Button variant="default" size="sm" flex="none" onClick={logout} fullWidth={fullWidth}>
      Log out
    </Button>
  );
}

/** For visitors; the pricing page itself has the same action. */
export function TrialButton({ fullWidth = false }: { fullWidth?: boolean }) {
  const { token } = useAuth();
  const { pathname } = useLocation();
  if (token !== null || pathname === '/payment') return null;
  return (
    <LinkButton to="/payment" size="sm" flex="none" fullWidth={fullWidth}>
      Start Free Trial
    </LinkButton>
  );
}
