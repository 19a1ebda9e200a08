import { Button, Text } from '@mantine/core';
import { useAuth } from '../../auth.tsx';
import { loginAddress } from '../../browser/return-to.ts';
import { useReturnTo } from '../../hooks/use-return-to.ts';

export function Greeting() {
  const { user } = useAuth();
  if (user === null) return null;
  return (
    <Text fz="sm" c="dimmed" px="xs" maw={220} miw={0} truncate title={user.name}>
      Welcome, {user.name}
    </Text>
  );
}

export function LogButton({ fullWidth = false }: { fullWidth?: boolean }) {
  const { token, logout } = useAuth();
  const returnTo = useReturnTo();
  if (token === null) {
    return (
      <Button component="a" href={loginAddress(returnTo)} size="sm" flex="none" fullWidth={fullWidth}>
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
