import { Badge, Group, Text } from '@mantine/core';
import type { SessionEntry } from '#contract/shapes.ts';
import { fullTime } from '#core/new-york.ts';
import { lastUse } from '../../text/times.ts';
import { useNow } from '../../hooks/use-now.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { Time } from '../../components/time.tsx';
import classes from './settings.module.css';
import { Muted } from '../../components/muted.ts';

export interface SessionRowProps {
  session: SessionEntry;
  isEnding: boolean;
  onEnd: () => void;
}

export function SessionRow({ session, isEnding, onEnd }: SessionRowProps) {
  const now = useNow();
  const { device, startedAt, lastUsedAt, isCurrent } = session;
  const signedIn = fullTime(Date.parse(startedAt));
  return (
    <li className={classes.session}>
      <Group gap={8} className={classes.device}>
        <Text span fw={600} style={{ overflowWrap: 'anywhere' }}>
          {device}
        </Text>
        {isCurrent && <Badge color="green">This session</Badge>}
      </Group>
      <Muted className={`figures ${classes.times ?? ''}`}>
        <span>
          Signed in <Time at={Date.parse(startedAt)}>{signedIn}</Time>
        </span>
        <span className={classes.dot}> · </span>
        <span>{isCurrent ? 'active now' : lastUse(Date.parse(lastUsedAt), now)}</span>
      </Muted>
      {!isCurrent && (
        <BusyButton
          variant="default"
          size="xs"
          className={classes.end ?? ''}
          isBusy={isEnding}
          aria-label={`End session: ${device}, signed in ${signedIn}`}
          onClick={onEnd}
        >
          End session
        </BusyButton>
      )}
    </li>
  );
}
