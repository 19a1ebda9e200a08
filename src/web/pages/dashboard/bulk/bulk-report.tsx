import { Button, Group, Text } from '@mantine/core';
import { figure } from '#core/labels.ts';
import classes from './bulk.module.css';
import { stopBulk } from './start.ts';
import type { BulkRun } from './state.ts';
import { ACTION_COPY, leftCopy, outcomeLabel, pausingCopy } from './copy.ts';
import { usePlatformStatus, useUserStatus } from '../../../api/queries.ts';
import { isMatched } from '../../../text/campaign-view.ts';
import { Muted } from '../../../components/muted.ts';

export interface BulkReportProps {
  run: BulkRun;
  /** Null: this user may not retry now. */
  onRetry: (() => void) | null;
  /** Null: nothing can be undone. */
  onUndo: (() => void) | null;
  onDismiss: () => void;
}

/** The progress, and at the end the counts of changed and failed campaigns. */
export function BulkReport({ run, ...buttons }: BulkReportProps) {
  const isEnded = run.state === 'ended';
  const rest = `${pausingCopy(run, useIsMatched())} ${leftCopy(run)}`.trim();
  return (
    <Group gap="xs" justify="space-between">
      <div className={classes.words}>
        {isEnded ? <Ended run={run} rest={rest} /> : <UnderWay run={run} />}
        {/* Screen readers announce only the end; every step would be too much. */}
        <span role="status" className={classes.said}>
          {isEnded ? `${outcomeLabel(run)} ${rest}` : ''}
        </span>
      </div>
      <Group gap="xs" className={classes.acts}>
        {isEnded ? (
          <EndedButtons run={run} {...buttons} />
        ) : (
          <Button size="sm" variant="default" onClick={stopBulk}>
            {run.state === 'stopping' ? 'Stop now' : 'Stop'}
          </Button>
        )}
      </Group>
    </Group>
  );
}

function EndedButtons({ run, onRetry, onUndo, onDismiss }: BulkReportProps) {
  return (
    <>
      {onRetry !== null && run.left.length > 0 && (
        <Button size="sm" onClick={onRetry}>
          Try again for {figure(run.left.length)}
        </Button>
      )}
      {onUndo !== null && (
        <Button
          size="sm"
          variant="default"
          aria-label={`Undo: ${ACTION_COPY[run.action].confirm(figure(run.done))}`}
          onClick={onUndo}
        >
          Undo
        </Button>
      )}
      <Button size="sm" variant="default" onClick={onDismiss}>
        Dismiss
      </Button>
    </>
  );
}

function UnderWay({ run: { state, account, action, targets, done, failed } }: { run: BulkRun }) {
  const { doing, did, label } = ACTION_COPY[action];
  return (
    <>
      <Text fz="sm" fw={600} className="figures">
        {state === 'stopping' ? `Stopping: ${did}` : doing} {figure(done)} of {figure(targets.length)}…
      </Text>
      <Muted truncate>
        {account.name}
        {failed.length > 0 && ` · ${figure(failed.length)} failed so far`}
      </Muted>
      <progress
        className={classes.progress}
        max={targets.length}
        value={done + failed.length}
        aria-label={label}
      />
    </>
  );
}

function useIsMatched(): boolean {
  const status = usePlatformStatus();
  return isMatched(status, useUserStatus().data);
}

function Ended({ run, rest }: { run: BulkRun; rest: string }) {
  return (
    <div aria-hidden="true">
      <Text fz="sm" fw={600} className="figures">
        {outcomeLabel(run)}
      </Text>
      {rest !== '' && <Muted style={{ overflowWrap: 'anywhere' }}>{rest}</Muted>}
    </div>
  );
}
