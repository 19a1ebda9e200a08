import { Box, Card, Group, Title } from '@mantine/core';
import { counted } from '#core/labels.ts';
import { useEndOtherSessions } from '../../api/account-queries.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { Muted } from '../../components/muted.ts';
import { sayDone, sayFailure } from '../../notices.ts';

export function Sessions() {
  const end = useEndOtherSessions();

  const onEnd = () =>
    end.mutate(undefined, {
      onSuccess: ({ ended }) =>
        ended === 0
          ? sayDone('No other sessions', 'You’re only logged in here.')
          : sayDone('Logged out everywhere else', `${counted(ended, 'other session')} ended.`),
      onError: (error) => sayFailure('Failed to log out everywhere else', error),
    });
  return (
    <Card component="section" aria-labelledby="sessions">
      <Group justify="space-between" gap="md">
        <Box maw={340}>
          <Title order={2} fz="lg" id="sessions">
            Sessions
          </Title>
          <Muted mt={4}>Ends your sessions in all other browsers. You stay logged in here.</Muted>
        </Box>
        <BusyButton variant="default" isBusy={end.isPending} onClick={onEnd}>
          Log out everywhere else
        </BusyButton>
      </Group>
    </Card>
  );
}
