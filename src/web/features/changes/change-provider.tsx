import { Button, Group, Text } from '@mantine/core';
import { useCallbackRef } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createContext, use, useMemo, useState } from 'react';
import { figure } from '#core/labels.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { askingBeforeClose } from '../../lib/ask-before-close.ts';
import { focusList, leaveFocusToList } from '../../lib/focus-list.ts';
import { hideNotice, showFailure } from '../../lib/notify.tsx';
import { changeKey } from '../../lib/queries.ts';
import { useHasCapability, useUser } from '../auth/auth-provider.tsx';
import { usePlatformLevel, useUserStatus } from '../status/api.ts';
import { useSubscription } from '../subscription/subscription-provider.tsx';
import type { Action, Pending, Target } from './actions.ts';
import { allowedFor } from './actions.ts';
import { changeInLists, noticeOf, readAgain } from './cached-lists.ts';
import type { NextStep, Outcome } from './outcome.ts';
import { isToldByRow, nextSteps, outcomeText, outcomeTitle, progressTitle } from './outcome.ts';
import type { Question, Situation } from './questions.ts';
import { hasConsequences, questionBefore } from './questions.ts';
import { sendAsOne, sendSingly } from './send.ts';

interface Change {
  action: Action;
  targets: readonly Target[];
  /** Asked before the change; absent: the usual question, if the change has consequences now. */
  question?: (situation: Situation) => Question;
  /** Its row shows the progress. */
  isOfRow?: boolean;
  onStart?: () => void;
  /** The user has answered a question about it. */
  wasAsked?: boolean;
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

export function ChangeProvider({ children }: { children: ReactNode }) {
  const { hasActiveSubscription } = useSubscription();
  const situation = { status: usePlatformLevel(), user: useUserStatus().data };
  const allowed = allowedFor(useUser(), hasActiveSubscription, situation.user?.isSuspended);
  const start = useStart(allowed, situation.user);
  const pending = usePending();
  // The dialog stays rendered while it closes, because only then the focus returns.
  const [opened, setOpened] = useState(false);
  const [asked, setAsked] = useState<Change | null>(null);
  const change = useCallbackRef((next: Change) => {
    const { action, targets, question } = next;
    // Of a manual action Undo is enough.
    const isSwitch = action === 'on' || action === 'off';
    const isAsked = question !== undefined || (isSwitch && hasConsequences(action, targets, situation));
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
    start({ ...asked, ...(resumesHeld && { action: 'off_and_resume' }), wasAsked: true });
  };
  const question = asked && questionOf(asked, situation);
  const changes = useMemo(() => ({ allowed, change, pending }), [allowed, change, pending]);
  return (
    <ChangesContext value={changes}>
      {children}
      <ConfirmDialog
        opened={opened}
        onClose={() => setOpened(false)}
        title={question?.title}
        gap="sm"
        confirm={
          <>
            <Button
              variant={question?.resume === undefined ? 'filled' : 'default'}
              onClick={confirm(false)}
              data-autofocus
            >
              {question?.confirm}
            </Button>
            {question?.resume !== undefined && <Button onClick={confirm(true)}>{question.resume}</Button>}
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

type Started = Change & { noticeId: string };

/** Changes campaigns, and tells progress and outcome in one notice, also on other pages. */
function useStart(allowed: readonly Action[], user: Situation['user']) {
  const client = useQueryClient();
  const isOneRequest = useHasCapability('campaign_changes');
  const { mutate } = useMutation({
    mutationKey: changeKey,
    mutationFn: (started: Started) => {
      const { noticeId, action, targets, isOfRow } = started;
      const onProgress = (count: number) => {
        if (isOfRow !== true) notifications.update({ id: noticeId, ...progressNotice(started, count) });
      };
      const isBySpecification =
        targets.length === 1 && action !== 'resume_now' && action !== 'off_and_resume';
      if (isOneRequest && !isBySpecification) return sendAsOne(action, targets, onProgress);
      const sent = () => sendSingly(action, targets, onProgress);
      // The rest would not be sent.
      return isBySpecification ? sent() : askingBeforeClose(sent);
    },
    onSuccess: async (outcome: Outcome, started: Started) => {
      const { noticeId, action, isOfRow = false, wasAsked = false } = started;
      await changeInLists(client, outcome.changed);
      // What an earlier failure said of them is over.
      for (const { campaign } of [...outcome.done, ...outcome.unconfirmed])
        if (noticeOf(campaign) !== noticeId) hideNotice(noticeOf(campaign));
      readAgain(client, outcome.failed.length > 0);
      if (isOfRow && isToldByRow(action, outcome)) return;
      const press = (step: NextStep) => {
        hideNotice(noticeId);
        // The next notice may take the place of this one, with the button that has the focus.
        focusList();
        start({ ...step, isOfRow });
      };
      const steps = nextSteps(action, outcome, allowed, wasAsked);
      const notice = outcomeNotice(action, outcome, { steps, press, user });
      // A row had no notice until now; the progress of others becomes the outcome.
      const show = isOfRow ? notifications.show : notifications.update;
      if (outcome.failed.length > 0) showFailure(noticeId, notice);
      else show({ id: noticeId, ...notice });
    },
  });
  const start = (change: Change): void => {
    const { targets, isOfRow, onStart } = change;
    const [first] = targets;
    const noticeId = isOfRow && first !== undefined ? noticeOf(first.campaign) : crypto.randomUUID();
    const started = { ...change, noticeId };
    // The Undo of an earlier action is out of date.
    if (isOfRow) hideNotice(noticeId);
    else notifications.show({ id: noticeId, ...progressNotice(started, 0) });
    mutate(started);
    onStart?.();
  };
  return start;
}

/** Also the changes that were started before the user left the page and came back. */
function usePending(): Changes['pending'] {
  const started = useMutationState({
    filters: { mutationKey: changeKey, status: 'pending' },
    select: ({ state }) => state.variables as Started,
  });
  return useMemo(() => {
    const entries = started.flatMap(({ action, targets, isOfRow }) =>
      targets.map(({ campaign }) => [campaign.id, isOfRow === true ? action : 'one_of_many'] as const),
    );
    return new Map(entries);
  }, [started]);
}

function progressNotice({ action, targets }: Started, count: number) {
  // Screen readers announce the start and the outcome.
  const message = (
    <Text inherit aria-hidden="true" className="figures">
      {figure(count)} of {figure(targets.length)}
    </Text>
  );
  return {
    ...{ title: progressTitle(action), message },
    ...({ loading: true, autoClose: false, withCloseButton: false } as const),
  };
}

interface NextSteps extends Pick<Situation, 'user'> {
  steps: readonly NextStep[];
  press: (step: NextStep) => void;
}

function outcomeNotice(action: Action, outcome: Outcome, { steps, press, user }: NextSteps) {
  const isDone = outcome.failed.length === 0 && outcome.left.length === 0;
  const message = (
    <Group justify="space-between" gap="4px xs">
      <Text inherit style={{ overflowWrap: 'anywhere' }}>
        {outcomeText(action, outcome, user)}
      </Text>
      {steps.map((step) => (
        <Button
          key={step.text}
          ref={leaveFocusToList}
          size="xs"
          mt={8}
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
