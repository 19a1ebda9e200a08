import { Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useId } from 'react';
import type { EarlyWarning } from '#contract/early-warning.ts';
import { USUAL_MS } from '#core/detection/parameters.ts';
import { counted, figure } from '#core/labels.ts';
import { days } from '#core/time.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Muted } from '../../components/muted.ts';
import { Time } from '../../components/time.tsx';
import { Toggle } from '../../components/toggle.tsx';
import { notifyFailure } from '../../lib/notify.tsx';
import { useLetWarningsAct } from './api.ts';

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
  const copy = questionOf(found);
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
export function questionOf({ actingSince, chosen, recorded, states }: EarlyWarning) {
  if (actingSince !== null)
    return {
      title: 'Stop early warnings from acting?',
      sentences: [
        'A warning that goes on ends at once.',
        'What it paused resumes by each user’s settings. Early warnings are still recorded.',
      ],
      confirm: 'Stop them',
    };
  const goesOn = states.find(({ source, until }) => source === 'early_warning' && until === null);
  return {
    title: 'Let early warnings act?',
    sentences: [
      `${counted(chosen.pause, 'user')} chose to be paused, ${figure(chosen.notify)} to be notified only.`,
      recordCopy(recorded),
      'From now on an early warning notifies users and pauses campaigns, as each user chose.',
      ...atOnceCopy(goesOn?.state ?? null),
    ],
    confirm: 'Let them act',
  };
}

/** What a warning that was only recorded does as soon as it acts. Low delivery alone lets one last, but begins none. */
function atOnceCopy(state: EarlyWarning['states'][number]['state']): string[] {
  if (state === 'PROBABLE') return ['A warning goes on now: it can pause their campaigns at once.'];
  return state === 'SUSPECTED' ? ['A warning goes on now: it notifies them at once.'] : [];
}

function recordCopy({ suspicions, pauses }: EarlyWarning['recorded']): string {
  const record = `The record of ${figure(USUAL_MS / days(1))} days has`;
  if (suspicions === 0) return `${record} no suspicion.`;
  return `${record} ${counted(suspicions, 'suspicion')}, of which ${figure(pauses)} would pause campaigns.`;
}
