import { Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useRef } from 'react';
import type { SessionEntry } from '#contract/shapes.ts';
import { sayDone, sayFailure } from '../../notices.ts';
import { useEndSession, useSessions } from '../../api/account-queries.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { EndOthers } from './end-others.tsx';
import { SessionRow } from './session-row.tsx';
import classes from './settings.module.css';
import { Muted } from '../../components/muted.ts';

export function Sessions() {
  const { data: sessions, isError, isFetching, refetch } = useSessions();
  const heading = useRef<HTMLHeadingElement>(null);
  // The pressed button is gone, so the keyboard focus moves to the heading.
  const toHeading = () => heading.current?.focus();
  if (sessions === null) return null;
  const others = sessions?.filter(({ isCurrent }) => !isCurrent).length ?? 0;
  return (
    <Card component="section" aria-labelledby="sessions">
      <Group justify="space-between" gap="xs">
        <Title order={2} fz="lg" id="sessions" ref={heading} tabIndex={-1}>
          Sessions
        </Title>
        <EndOthers count={others} onEnded={toHeading} />
      </Group>
      <Muted mt={4} mb="sm">
        Where you’re logged in. End any session you don’t recognize. This one ends when you log out.
      </Muted>
      {sessions !== undefined && <List sessions={sessions} onEnded={toHeading} />}
      {sessions === undefined && !isError && <Placeholder />}
      {sessions === undefined && isError && (
        <Group justify="space-between" role="alert">
          <Text fz="sm">Your sessions couldn’t be loaded.</Text>
          <BusyButton variant="default" size="xs" isBusy={isFetching} onClick={() => void refetch()}>
            Try again
          </BusyButton>
        </Group>
      )}
    </Card>
  );
}

function List({ sessions, onEnded }: { sessions: readonly SessionEntry[]; onEnded: () => void }) {
  const end = useEndSession();
  const onEnd = ({ id, device }: SessionEntry) =>
    end.mutate(id, {
      onSuccess: () => {
        sayDone('Session ended', `${device} is logged out.`);
        onEnded();
      },
      onError: (error) => sayFailure('Failed to end the session', error),
    });
  const byCurrentFirst = sessions.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
  return (
    <ul className={classes.sessions}>
      {byCurrentFirst.map((session) => (
        <SessionRow
          key={session.id}
          session={session}
          isEnding={end.isPending && end.variables === session.id}
          onEnd={() => onEnd(session)}
        />
      ))}
    </ul>
  );
}

function Placeholder() {
  return (
    <Stack gap="sm" aria-busy="true">
      <Skeleton h={44} />
      <Skeleton h={44} />
    </Stack>
  );
}
