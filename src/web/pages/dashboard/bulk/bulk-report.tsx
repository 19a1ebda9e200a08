import { Button, Group, Text } from '@mantine/core';
import { figure } from '#core/words.ts';
import classes from './bulk.module.css';
import { stopBulk } from './start.ts';
import type { BulkRun } from './state.ts';
import { leftWords, outcomeWords, turning } from './words.ts';

export interface BulkReportProps {
  run: BulkRun;
  /** Null: not what this person may do now. */
  onRetry: (() => void) | null;
  onDismiss: () => void;
}

/** How far it has come, and at the end what was done and what was not. */
export function BulkReport({ run, onRetry, onDismiss }: BulkReportProps) {
  const isEnded = run.state === 'ended';
  return (
    <Group gap="xs" justify="space-between">
      <div className={classes.words}>
        {isEnded ? <Ended run={run} /> : <UnderWay run={run} />}
        {/* Said once at its end; every step of the way would be too much. */}
        <span role="status" className={classes.said}>
          {isEnded ? `${outcomeWords(run)} ${leftWords(run)}` : ''}
        </span>
      </div>
      <Group gap="xs" className={classes.acts}>
        {isEnded && run.left.length > 0 && onRetry !== null && (
          <Button size="sm" onClick={onRetry}>
            Try again for {figure(run.left.length)}
          </Button>
        )}
        {isEnded ? (
          <Button size="sm" variant="default" onClick={onDismiss}>
            Dismiss
          </Button>
        ) : (
          <Button size="sm" variant="default" onClick={stopBulk}>
            {run.state === 'stopping' ? 'Stop now' : 'Stop'}
          </Button>
        )}
      </Group>
    </Group>
  );
}

function UnderWay({ run: { state, account, enabled, targets, done, failed } }: { run: BulkRun }) {
  return (
    <>
      <Text fz="sm" fw={600} className="figures">
        {state === 'stopping' ? 'Stopping: turned' : 'Turning'} {turning(enabled)} {figure(done)} of{' '}
        {figure(targets.length)}…
      </Text>
      <Text fz="sm" c="dimmed" truncate>
        {account.name}
        {failed.length > 0 && ` · ${figure(failed.length)} failed so far`}
      </Text>
      <progress
        className={classes.progress}
        max={targets.length}
        value={done + failed.length}
        aria-label={`Turning SmartPause ${turning(enabled)}`}
      />
    </>
  );
}

function Ended({ run }: { run: BulkRun }) {
  const [first] = run.failed;
  const why = run.obstacle ?? first?.reason;
  const left = leftWords(run);
  return (
    <div aria-hidden="true">
      <Text fz="sm" fw={600} className="figures">
        {outcomeWords(run)}
      </Text>
      {left !== '' && (
        <Text fz="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {left} {why}
        </Text>
      )}
    </div>
  );
}
