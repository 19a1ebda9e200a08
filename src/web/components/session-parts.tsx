import { Button, Text } from '@mantine/core';
import { loginAddress } from '../return-to.ts';
import type { Session } from '../session.tsx';
import { useReturnTo } from '../use-return-to.ts';

export function Greeting({ session }: { session: Session }) {
  if (session.state !== 'logged_in') return null;
  return (
    <Text fz="sm" c="dimmed" px="xs" maw={220} miw={0} truncate title={session.user.name}>
      Welcome, {session.user.name}
    </Text>
  );
}

export function LogButton({ session, fullWidth = false }: { session: Session; fullWidth?: boolean }) {
  const returnTo = useReturnTo();
  if (session.state === 'logged_out') {
    return (
      <Button component="a" href={loginAddress(returnTo)} size="sm" flex="none" fullWidth={fullWidth}>
        Log In
      </Button>
    );
  }
  return (
    <Button variant="default" size="sm" flex="none" onClick={session.logOut} fullWidth={fullWidth}>
      Log out
    </Button>
  );
}
