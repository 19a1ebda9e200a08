import { Box, Button, Group, Text } from '@mantine/core';
import { useCallbackRef } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createContext, use, useState } from 'react';
import { seconds } from '#core/time.ts';
import { BusyButton } from '../../../components/busy-button.tsx';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { focusList, leaveFocusToList } from '../../../lib/focus-list.ts';
import { hideNotice, showFailure } from '../../../lib/notify.tsx';
import { bulkChangeKey, changeKey } from '../../../lib/queries.ts';
import { useNow } from '../../../lib/use-now.ts';
import { usePlatformStatus, useUserStatus } from '../../status/api.ts';
import { changeInLists, readAgain, sendChange } from '../api.ts';
import { isHeld } from '../campaign-view.ts';
import type { Action, Pending, Target } from './actions.ts';
import { isManual } from './actions.ts';
import type { NextStep, Outcome, Progress } from './outcome.ts';
import {
  isToldByRow,
  nextSteps,
  outcomeText,
  outcomeTitle,
  progressText,
  progressTitle,
  runChange,
} from './outcome.ts';
import type { Question, Situation } from './questions.ts';
import { hasConsequences, questionBefore } from './questions.ts';

interface Change {
  action: Action;
  targets: readonly Target[];
  /** Asked before the change; absent: the usual question, if the change has consequences now. */
  question?: (situation: Situation) => Question;
  /** Its row shows the progress, and it waits for no other change. */
  isOfRow?: boolean;
  onStart?: () => void;
}

interface Changes {
  /** What the user may do. */
  allowed: readonly Action[];
  /** Changes the campaigns, after a question if there is one. */
  change: (change: Change) => void;
  /** The changes in progress by campaign: a row shows the result of its own one at once. */
  pending: ReadonlyMap<string, Pending>;
}

const ChangesContext = createContext<Changes | null>(null);

export function useChanges(): Changes {
  const changes = use(ChangesContext);
  if (changes === null) throw new Error('useChanges needs a ChangeProvider around it');
  return changes;
}

export function ChangeProvider({ allowed, children }: Pick<Changes, 'allowed'> & { children: ReactNode }) {
  const situation = { status: usePlatformStatus(), user: useUserStatus().data };
  const start = useStart(allowed);
  const pending = usePending();
  // The dialog stays rendered while it closes, because only then the focus returns.
  const [opened, setOpened] = useState(false);
  const [asked, setAsked] = useState<Change | null>(null);
  const change = useCallbackRef((next: Change) => {
    const { action, targets, question } = next;
    // Of a manual action Undo is enough.
    const isAsked =
      question !== undefined || (!isManual(action) && hasConsequences(action, targets, situation));
    if (!isAsked) {
      start(next);
      return;
    }
    setAsked(next);
    setOpened(true);
  });
  const confirm = (resumesHeld: boolean) => () => {
    setOpened(false);
    if (asked === null) return;
    const { status, user } = situation;
    const resumed = (target: Target) => ({ ...target, resumes: isHeld(target.campaign, status, user) });
    start(resumesHeld ? { ...asked, targets: asked.targets.map(resumed), isOfRow: false } : asked);
  };
  const question = asked && questionOf(asked, situation);
  return (
    <ChangesContext value={{ allowed, change, pending }}>
      {children}
      <ConfirmDialog
        opened={opened}
        onClose={() => setOpened(false)}
        title={question?.title}
        gap="sm"
        confirm={
          <>
            {question?.resume !== undefined && (
              <Button variant="default" onClick={confirm(true)}>
                {question.resume}
              </Button>
            )}
            <Button onClick={confirm(false)} data-autofocus>
              {question?.confirm}
            </Button>
          </>
        }
      >
        {question?.sentences.map((sentence) => (
          <Text key={sentence} fz="sm" style={{ overflowWrap: 'anywhere' }}>
            {sentence}
          </Text>
        ))}
      </ConfirmDialog>
    </ChangesContext>
  );
}

/** As the situation is now: an outage may end while the dialog is open. */
function questionOf({ action, targets, question }: Change, situation: Situation): Question {
  if (question !== undefined) return question(situation);
  return questionBefore(action === 'on' ? 'on' : 'off', targets, situation);
}

type Started = Change & { noticeId: string; end: AbortController };

/** Changes campaigns, and tells progress and outcome in one notice, also on other pages. */
function useStart(allowed: readonly Action[]) {
  const client = useQueryClient();
  const start = (change: Change): void => {
    const { targets, isOfRow, onStart } = change;
    const noticeId = isOfRow ? `campaign ${targets[0]?.campaign.id ?? ''}` : crypto.randomUUID();
    const started = { ...change, noticeId, end: new AbortController() };
    // The Undo of an earlier action is out of date.
    if (isOfRow) hideNotice(noticeId);
    else notifications.show({ id: noticeId, ...progressNotice(started, null) });
    (isOfRow ? ofRow : inLine).mutate(started);
    onStart?.();
  };
  const options = {
    mutationFn: (started: Started) => {
      const { noticeId, action, targets, isOfRow, end } = started;
      const onProgress = (progress: Progress) => {
        if (!isOfRow) notifications.update({ id: noticeId, ...progressNotice(started, progress) });
      };
      onProgress({ count: 0, retryAt: null });
      return runChange(targets, (target) => sendChange(action, target), { onProgress, end });
    },
    onSuccess: async (outcome: Outcome, { noticeId, action, isOfRow = false }: Started) => {
      await changeInLists(client, outcome.changed);
      readAgain(client, outcome.failed.length > 0);
      if (isOfRow && isToldByRow(action, outcome)) return;
      const press = (step: NextStep) => {
        hideNotice(noticeId);
        // The next notice may take the place of this one, with the button that has the focus.
        focusList();
        start({ ...step, isOfRow });
      };
      const notice = outcomeNotice(action, outcome, { steps: nextSteps(action, outcome, allowed), press });
      // A row had no notice until now; the progress of others becomes the outcome.
      const show = isOfRow ? notifications.show : notifications.update;
      if (outcome.failed.length > 0) showFailure(noticeId, notice);
      else show({ id: noticeId, ...notice });
    },
  };
  const ofRow = useMutation({ ...options, mutationKey: changeKey });
  // One after another; the page asks before it is closed.
  const inLine = useMutation({ ...options, mutationKey: bulkChangeKey, scope: { id: bulkChangeKey[1] } });
  return start;
}

/** Also the changes that were started before the user left the page and came back. */
function usePending(): Changes['pending'] {
  const started = useMutationState({
    filters: { mutationKey: changeKey, status: 'pending' },
    select: ({ state }) => state.variables as Started,
  });
  return new Map(
    started.flatMap(({ action, targets, isOfRow }) =>
      targets.map(({ campaign }) => [campaign.id, isOfRow === true ? action : 'one_of_many'] as const),
    ),
  );
}

/** @param progress null: it waits for another change */
function progressNotice(started: Started, progress: Progress | null) {
  const title = progressTitle(started.action, started.targets);
  const message = <ChangeProgress started={started} progress={progress} />;
  return { title, message, loading: true, autoClose: false, withCloseButton: false } as const;
}

function ChangeProgress({ started, progress }: { started: Started; progress: Progress | null }) {
  const { action, targets, end, noticeId } = started;
  const mutations = useQueryClient().getMutationCache();
  const now = useNow(seconds(1));
  const isStopping = end.signal.aborted;
  const stop = () => {
    end.abort();
    if (progress !== null) {
      notifications.update({ id: noticeId, ...progressNotice(started, progress) });
      return;
    }
    // It still waits for another change: now it never begins, so it has no outcome.
    const waiting = mutations.find({
      mutationKey: bulkChangeKey,
      predicate: ({ state }) => state.variables === started,
    });
    if (waiting !== undefined) mutations.remove(waiting);
    notifications.hide(noticeId);
  };
  return (
    <Group justify="space-between" gap="4px xs" wrap="nowrap">
      {/* Screen readers announce the start and the outcome. */}
      <Text inherit aria-hidden="true" className="figures">
        {isStopping ? 'Stopping…' : progressText(progress, targets.length, now)}
      </Text>
      {targets.length > 1 && (
        <Box ref={leaveFocusToList}>
          <BusyButton
            size="xs"
            variant="default"
            isBusy={isStopping}
            aria-label={`Stop: ${progressTitle(action, targets)}`}
            onClick={stop}
          >
            Stop
          </BusyButton>
        </Box>
      )}
    </Group>
  );
}

interface NextSteps {
  steps: readonly NextStep[];
  press: (step: NextStep) => void;
}

function outcomeNotice(action: Action, outcome: Outcome, { steps, press }: NextSteps) {
  const isDone = outcome.failed.length === 0 && outcome.left.length === 0;
  const message = (
    <Group justify="space-between" gap="4px xs">
      <Text inherit style={{ overflowWrap: 'anywhere' }}>
        {outcomeText(action, outcome)}
      </Text>
      {steps.map((step) => (
        <Button
          key={step.text}
          ref={leaveFocusToList}
          size="xs"
          variant="default"
          aria-label={step.label}
          onClick={() => press(step)}
        >
          {step.text}
        </Button>
      ))}
    </Group>
  );
  const look = isDone
    ? ({ color: 'green', autoClose: true } as const)
    : ({ color: 'blue', autoClose: false } as const);
  const close = { loading: false, withCloseButton: true, closeButtonProps: { 'aria-label': 'Dismiss' } };
  return { title: outcomeTitle(action, outcome), message, ...look, ...close };
}
