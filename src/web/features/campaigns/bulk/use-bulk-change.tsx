import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Campaign } from '#contract/shapes.ts';
import { figure } from '#core/labels.ts';
import { CallError } from '../../../lib/api-client.ts';
import { leaveFocusToList } from '../../../lib/focus-list.ts';
import { bulkChangeKey } from '../../../lib/queries.ts';
import { readListsAgain, sendChange, writeIntoLists } from '../api.ts';
import type { Action, Target } from './actions.ts';
import { OPPOSITE, isManual } from './actions.ts';
import type { Outcome } from './run.ts';
import { failureCopy, outcomeTitle, progressTitle, runInChunks } from './run.ts';

export interface BulkChange {
  action: Action;
  targets: readonly Target[];
  /** The user may do the opposite of a manual action. */
  mayUndo?: boolean;
}

/** Changes many campaigns, one change after another, and tells the progress in one notice on every page. */
export function useBulkChange(): (change: BulkChange) => void {
  const client = useQueryClient();
  const start = (change: BulkChange): void => {
    const id = notifications.show(underWay(change, 'Waiting…'));
    mutation.mutate({ id, change });
  };
  const mutation = useMutation({
    mutationKey: bulkChangeKey,
    scope: { id: bulkChangeKey[0] },
    mutationFn: ({ id, change }: { id: string; change: BulkChange }) => run(client, id, change),
    onSuccess: (outcome, { id, change }) => showOutcome(id, change, outcome, start),
  });
  return start;
}

function underWay({ action, targets }: BulkChange, progress: string) {
  // Screen readers announce the start and the outcome.
  const message = (
    <Text inherit aria-hidden="true" className="figures">
      {progress}
    </Text>
  );
  const title = progressTitle(action, targets);
  return { title, message, loading: true, autoClose: false, withCloseButton: false } as const;
}

async function run(client: QueryClient, id: string, change: BulkChange): Promise<Outcome> {
  const { action, targets } = change;
  const changed = new Map<Target, Partial<Campaign>>();
  const onDone = (done: readonly Target[]) => {
    const progress = `${figure(changed.size)} of ${figure(targets.length)}`;
    notifications.update({ id, ...underWay(change, progress) });
    void writeIntoLists(client, new Map(done.map((target) => [target, changed.get(target) ?? {}])));
  };
  onDone([]);
  // Meta takes one change of an ad account at a time.
  const size = isManual(action) || targets.some(({ resumes }) => resumes) ? 1 : 6;
  const send = async (target: Target) => changed.set(target, await sendAll(action, target));
  const outcome = await runInChunks(targets, send, { size, onDone });
  readListsAgain(client);
  return outcome;
}

async function sendAll(action: Action, target: Target): Promise<Partial<Campaign>> {
  const change = await sendChange(action, target);
  const all = target.resumes === true ? { ...change, ...(await sendChange('resume', target)) } : change;
  if (all.pendingStatus === undefined) return all;
  throw new CallError('pending', { status: 504, reason: 'Meta hasn’t confirmed it yet.' });
}

function showOutcome(
  id: string,
  change: BulkChange,
  outcome: Outcome,
  start: (change: BulkChange) => void,
): void {
  const rest = [...outcome.failed.map(({ target }) => target), ...outcome.left];
  const { action, mayUndo = false } = change;
  const isUndoable = mayUndo && isManual(action) && outcome.done.length > 0;
  const follow = (next: BulkChange) => () => {
    notifications.hide(id);
    start(next);
  };
  notifications.update({
    id,
    title: outcomeTitle(action, outcome),
    color: rest.length === 0 ? 'green' : 'red',
    loading: false,
    autoClose: rest.length === 0,
    withCloseButton: true,
    closeButtonProps: { 'aria-label': 'Dismiss' },
    message: (
      <>
        {failureCopy(outcome)}
        <Group ref={leaveFocusToList} gap="xs" mt={4}>
          {rest.length > 0 && (
            <Button size="xs" onClick={follow({ ...change, targets: rest })}>
              Try again ({figure(rest.length)})
            </Button>
          )}
          {isUndoable && (
            <Button
              size="xs"
              variant="default"
              onClick={follow({ action: OPPOSITE[action], targets: outcome.done })}
            >
              Undo
            </Button>
          )}
        </Group>
      </>
    ),
  });
}
