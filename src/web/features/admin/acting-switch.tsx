import { Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useId } from 'react';
import type { EarlyWarning } from '#contract/early-warning.ts';
import { counted, figure } from '#core/labels.ts';
import type { Instant } from '#core/time.ts';
import { days } from '#core/time.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Muted } from '../../components/muted.ts';
import { Time } from '../../components/time.tsx';
import { Toggle } from '../../components/toggle.tsx';
import { notifyFailure } from '../../lib/notify.tsx';
import { useNow } from '../../lib/use-now.ts';
import { useLetWarningsAct } from './api.ts';

const COUNTED_DAYS = 28;

/** Lets early warnings notify and pause, or ends that; asks first. */
export function ActingSwitch(found: EarlyWarning) {
  const { actingSince } = found;
  const acts = actingSince !== null;
  const id = useId();
  const [opened, { open, close }] = useDisclosure(false);
  const { mutate, isPending } = useLetWarningsAct();
  const confirm = () =>
    mutate(!acts, {
      onError: (error) => notifyFailure('Failed to change early warnings', error),
      onSettled: close,
    });
  const copy = questionOf(found, useNow());
  return (
    <Group gap="sm" align="flex-start" wrap="nowrap" mb="md">
      <Toggle id={id} aria-describedby={`${id}-more`} checked={acts} onChange={open} />
      <div>
        <Text component="label" htmlFor={id} fz="sm">
          Let early warnings act
        </Text>
        <Muted id={`${id}-more`} fz={13} lh={1.4} mt={4}>
          {acts ? (
            <>
              On since <Time at={actingSince} />: an early warning notifies and pauses, as each user chose.
            </>
          ) : (
            'Shadow mode: what early warnings would do is recorded. Users see and get nothing of it.'
          )}
        </Muted>
      </div>
      <ConfirmDialog
        {...{ opened, title: copy.title }}
        onClose={close}
        busy={isPending}
        confirm={
          <BusyButton color="red.9" isBusy={isPending} onClick={confirm}>
            {copy.confirm}
          </BusyButton>
        }
      >
        <Text>{copy.sentences.join(' ')}</Text>
      </ConfirmDialog>
    </Group>
  );
}

/** What the other position of the switch means. */
export function questionOf({ actingSince, chosen, states }: EarlyWarning, now: Instant) {
  if (actingSince !== null)
    return {
      title: 'Stop early warnings from acting?',
      sentences: [
        'A warning that goes on ends at once.',
        'What it paused resumes by each user’s settings. Early warnings are still recorded.',
      ],
      confirm: 'Stop them',
    };
  const recorded = states.filter(
    ({ source, since }) => source === 'early_warning' && Date.parse(since) > now - days(COUNTED_DAYS),
  );
  const countOf = (state: 'SUSPECTED' | 'PROBABLE') => recorded.filter((one) => one.state === state).length;
  const pauses = counted(countOf('PROBABLE'), 'would-be pause');
  return {
    title: 'Let early warnings act?',
    sentences: [
      `${counted(chosen.pause, 'user')} chose to be paused, ${figure(chosen.notify)} to be notified only.`,
      `The record of ${COUNTED_DAYS} days on this page has ${counted(countOf('SUSPECTED'), 'suspicion')} and ${pauses}.`,
      'From now on an early warning notifies users and pauses campaigns, as each user chose.',
    ],
    confirm: 'Let them act',
  };
}
