import { Button, Group, Text } from '@mantine/core';
import { useCallbackRef } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createContext, use, useState } from 'react';
import { figure } from '#core/labels.ts';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { focusList, leaveFocusToList } from '../../../lib/focus-list.ts';
import { bulkChangeKey } from '../../../lib/queries.ts';
import { usePlatformStatus, useUserStatus } from '../../status/api.ts';
import { changeInLists, readAgain, sendChange } from '../api.ts';
import { isHeld } from '../campaign-view.ts';
import type { Action, Target } from './actions.ts';
import { OPPOSITE, isManual } from './actions.ts';
import type { Outcome } from './outcome.ts';
import { isToldByRow, namesOf, outcomeText, outcomeTitle, progressTitle, runInChunks } from './outcome.ts';
import type { Question } from './questions.ts';
import { questionBefore } from './questions.ts';

interface Change {
  action: Action;
  targets: readonly Target[];
  /** Asked before the change; absent: the usual question, if the change has consequences now. */
  question?: Question;
  /** Its row shows the progress, and it waits for no other change. */
  isOfRow?: boolean;
  onStart?: () => void;
}

interface Changes {
  /** Changes the campaigns, after a question if there is one. */
  change: (change: Change) => void;
  /** The changes in progress by campaign: the rows show their results at once. */
  pending: ReadonlyMap<string, Action>;
}

const ChangesContext = createContext<Changes>({ change: () => undefined, pending: new Map() });

export const useChanges = () => use(ChangesContext);

export function ChangeProvider({ allowed, children }: { allowed: readonly Action[]; children: ReactNode }) {
  const status = usePlatformStatus();
  const { data: user } = useUserStatus();
  const { start, pending } = useStart(allowed);
  // The dialog stays rendered while it closes, because only then the focus returns.
  const [opened, setOpened] = useState(false);
  const [asked, setAsked] = useState<{ question: Question; next: Change } | null>(null);
  const usualQuestion = ({ action, targets, isOfRow }: Change) =>
    // Of a single manual action Undo is enough.
    isOfRow && isManual(action) ? null : questionBefore(action, targets, { status, user });
  const change = useCallbackRef((next: Change) => {
    const question = next.question ?? usualQuestion(next);
    if (question === null) {
      start(next);
      return;
    }
    setAsked({ question, next });
    setOpened(true);
  });
  const confirm = (resumesHeld: boolean) => () => {
    setOpened(false);
    if (asked === null) return;
    const { next } = asked;
    const resumed = (target: Target) => ({ ...target, resumes: isHeld(target.campaign, status, user) });
    start(resumesHeld ? { ...next, targets: next.targets.map(resumed), isOfRow: false } : next);
  };
  const { title, sentences = [], confirm: label, resume } = asked?.question ?? {};
  return (
    <ChangesContext value={{ change, pending }}>
      {children}
      <ConfirmDialog
        opened={opened}
        onClose={() => setOpened(false)}
        title={title}
        gap="sm"
        confirm={
          <>
            {resume !== undefined && (
              <Button variant="default" onClick={confirm(true)}>
                {resume}
              </Button>
            )}
            <Button onClick={confirm(false)} data-autofocus>
              {label}
            </Button>
          </>
        }
      >
        {sentences.map((sentence) => (
          <Text key={sentence} fz="sm" style={{ overflowWrap: 'anywhere' }}>
            {sentence}
          </Text>
        ))}
      </ConfirmDialog>
    </ChangesContext>
  );
}

type Started = Change & { noticeId: string };

/** Changes campaigns, and tells progress and outcome in one notice, also on other pages. */
function useStart(allowed: readonly Action[]) {
  const client = useQueryClient();
  const [pending, setPending] = useState<Changes['pending']>(new Map());
  const start = (change: Change): void => {
    const { action, targets, isOfRow, onStart } = change;
    setPending((before) => {
      return new Map([...before, ...targets.map(({ campaign }) => [campaign.id, action] as const)]);
    });
    const noticeId = isOfRow ? `campaign ${targets[0]?.campaign.id ?? ''}` : crypto.randomUUID();
    // The Undo of an earlier action is out of date.
    if (isOfRow) notifications.hide(noticeId);
    else notifications.show({ id: noticeId, ...progressNotice(change, 'Waiting…') });
    (isOfRow ? ofRow : inLine).mutate({ ...change, noticeId });
    onStart?.();
  };
  const options = {
    mutationFn: ({ noticeId, ...change }: Started) => {
      const { action, targets, isOfRow } = change;
      const onProgress = (count: number) => {
        const progress = `${figure(count)} of ${figure(targets.length)}`;
        if (!isOfRow) notifications.update({ id: noticeId, ...progressNotice(change, progress) });
      };
      onProgress(0);
      // Meta takes one change of an ad account at a time.
      const size = isManual(action) || targets.some(({ resumes }) => resumes) ? 1 : 6;
      return runInChunks(targets, (target) => sendChange(action, target), { size, onProgress });
    },
    onSuccess: async (outcome: Outcome, { noticeId, action, targets, isOfRow = false }: Started) => {
      const { done, failed, left, changed } = outcome;
      await changeInLists(client, changed);
      readAgain(client, failed.length > 0);
      const ids = new Set(targets.map(({ campaign }) => campaign.id));
      setPending((before) => new Map([...before].filter(([id]) => !ids.has(id))));
      if (isOfRow && isToldByRow(action, outcome)) return;
      const button = (text: string, next: Action, rest: readonly Target[]) => ({
        text,
        label: text === 'Undo' ? `Undo: ${action} ${namesOf(rest)}` : text,
        press: () => {
          notifications.hide(noticeId);
          // The next notice may take the place of this one, with the button that has the focus.
          focusList();
          start({ action: next, targets: rest, isOfRow });
        },
      });
      const buttons: NoticeButton[] = [];
      const rest = [...failed.map(({ target }) => target), ...left];
      if (rest.length > 0) buttons.push(button(`Try again (${figure(rest.length)})`, action, rest));
      if (isManual(action) && done.length > 0 && allowed.includes(OPPOSITE[action]))
        buttons.push(button('Undo', OPPOSITE[action], done));
      // A row had no notice until now; the progress of others becomes the outcome.
      const show = isOfRow ? notifications.show : notifications.update;
      show({ id: noticeId, ...outcomeNotice(action, outcome, buttons) });
    },
  };
  const ofRow = useMutation(options);
  // One after another; the page asks before it is closed.
  const inLine = useMutation({ ...options, mutationKey: bulkChangeKey, scope: { id: bulkChangeKey[0] } });
  return { start, pending };
}

function progressNotice({ action, targets }: Change, progress: string) {
  // Screen readers announce the start and the outcome.
  const message = (
    <Text inherit aria-hidden="true" className="figures">
      {progress}
    </Text>
  );
  const title = progressTitle(action, targets);
  return { title, message, loading: true, autoClose: false, withCloseButton: false } as const;
}

interface NoticeButton {
  text: string;
  label: string;
  press: () => void;
}

function outcomeNotice(action: Action, outcome: Outcome, buttons: readonly NoticeButton[]) {
  const isDone = outcome.failed.length === 0 && outcome.left.length === 0;
  const message = (
    <Group justify="space-between" gap="4px xs">
      <Text inherit style={{ overflowWrap: 'anywhere' }}>
        {outcomeText(action, outcome)}
      </Text>
      {buttons.map(({ text, label, press }) => (
        <Button
          key={text}
          ref={leaveFocusToList}
          size="xs"
          variant="default"
          aria-label={label}
          onClick={press}
        >
          {text}
        </Button>
      ))}
    </Group>
  );
  const look = isDone
    ? ({ color: 'green', autoClose: true } as const)
    : ({ color: 'red', autoClose: false } as const);
  const close = { loading: false, withCloseButton: true, closeButtonProps: { 'aria-label': 'Dismiss' } };
  return { title: outcomeTitle(action, outcome), message, ...look, ...close };
}
