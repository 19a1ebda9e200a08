import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Campaign } from '#contract/shapes.ts';
import { userApi } from '#contract/user-api.ts';
import { figure } from '#core/labels.ts';
import { seconds } from '#core/time.ts';
import { CallError, call } from '../../../lib/api-client.ts';
import { bulkChangeKey } from '../../../lib/queries.ts';
import { readListAgain, settingAfter, writeIntoList } from '../api.ts';
import { askBeforeClose } from '../ask-before-close.ts';
import { leaveFocusToList } from '../leave-focus.ts';
import type { Action, Target } from './actions.ts';
import { failureCopy, outcomeTitle, progressTitle } from './copy.ts';
import type { Outcome } from './run.ts';
import { runInChunks } from './run.ts';

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
    mutationFn: ({ id, change }: { id: string; change: BulkChange }) =>
      askBeforeClose(run(client, id, change)),
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
  const showProgress = (done: number) =>
    notifications.update({ id, ...underWay(change, `${figure(done)} of ${figure(targets.length)}`) });
  showProgress(0);
  const changed = new Map<Target, Partial<Campaign>>();
  const outcome = await runInChunks(
    targets,
    async (target) => changed.set(target, await send(action, target)),
    {
      // Meta takes one change of an ad account at a time.
      size: action === 'on' || (action === 'off' && !targets.some(({ resumes }) => resumes)) ? 6 : 1,
      onDone: (done) => {
        showProgress(changed.size);
        for (const [accountId, some] of Map.groupBy(done, ({ account }) => account.id)) {
          const changes = some.map((target) => [target.campaign.id, changed.get(target) ?? {}] as const);
          void writeIntoList(client, accountId, new Map(changes));
        }
      },
    },
  );
  void readListAgain(client);
  return outcome;
}

/** So that a change ends even if a call is never answered. */
const CALL_TIMEOUT_MS = seconds(30);

/** @returns the changed fields */
async function send(action: Action, { account, campaign, resumes }: Target): Promise<Partial<Campaign>> {
  const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
  const params = { adAccountId: account.id, campaignId: campaign.id };
  if (action === 'pause' || action === 'resume') return sendManual(action, campaign.id);
  const enabled = action === 'on';
  const answer = await call(userApi.setSmartPause, { params, body: { enabled }, signal });
  const change = { smartPauseSetting: settingAfter(answer, enabled) };
  return resumes === true ? { ...change, ...(await sendManual('resume', campaign.id)) } : change;
}

async function sendManual(action: 'pause' | 'resume', id: string): Promise<Partial<Campaign>> {
  const endpoint = action === 'pause' ? userApi.pauseCampaign : userApi.resumeCampaign;
  const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
  const { status, pending } = await call(endpoint, { params: { id }, signal });
  if (pending !== true) return { status };
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
  const follow = (next: BulkChange) => () => {
    notifications.hide(id);
    start(next);
  };
  const isUndoable = mayUndo && (action === 'pause' || action === 'resume') && outcome.done.length > 0;
  const opposite = action === 'pause' ? 'resume' : 'pause';
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
            <Button size="xs" variant="default" onClick={follow({ action: opposite, targets: outcome.done })}>
              Undo
            </Button>
          )}
        </Group>
      </>
    ),
  });
}
