import { Radio, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { pauseAllApi } from '#contract/pause-all-api.ts';
import { WORD_MAX_MS, WORD_MIN_MS } from '#core/smartpause/signals.ts';
import type { Instant } from '#core/time.ts';
import { hours, minutes } from '#core/time.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { call } from '../../lib/api-client.ts';
import { focusPausedAll } from '../../lib/focus-list.ts';
import { notifyFailure } from '../../lib/notify.tsx';
import { keys } from '../../lib/queries.ts';
import { atOrOnTime } from '../../lib/times.ts';
import { useNow } from '../../lib/use-now.ts';
import { useUserStatus } from '../status/api.ts';
import { readAgain } from './cached-lists.ts';
import { pauseAllCopy } from './pause-all-copy.ts';

type End = 'none' | 'hour' | 'hours' | 'morning' | 'chosen';

export const resumeAll = () => call(pauseAllApi.resumeAll, {});

interface PauseAllDialogProps {
  opened: boolean;
  /** It is on: only its end changes. */
  isOn: boolean;
  onClose: () => void;
}

/** How many campaigns it pauses, and until when. */
export function PauseAllDialog({ opened, isOn, onClose }: PauseAllDialogProps) {
  const now = useNow();
  const { data: user } = useUserStatus();
  // As it was when the dialog opened.
  const [before] = useState(() => (isOn ? ownMinute(user?.pausedAll?.until ?? null) : ''));
  const [end, setEnd] = useState<End>(before === '' ? 'none' : 'chosen');
  const [chosen, setChosen] = useState(before);
  const query = useQuery({
    queryKey: ['pause-all'],
    queryFn: ({ signal }) => call(pauseAllApi.pauseAllState, { signal }),
    ...{ enabled: opened, staleTime: 0, gcTime: 0 },
  });
  const until = end === 'chosen' ? Date.parse(chosen) : endOf(end, now);
  const isSame = isOn && (end === 'chosen' ? chosen === before : end === 'none' && before === '');
  const isValid = isSame || until === null || (until >= now + WORD_MIN_MS && until <= now + WORD_MAX_MS);
  const { mutate, isPending } = usePauseAll(isOn, onClose);
  const copy = isOn || query.data === undefined ? null : pauseAllCopy(query.data);
  const isUseless = copy?.confirm === null;
  return (
    <ConfirmDialog
      {...{ opened, onClose }}
      busy={isPending}
      title={isOn ? 'Change the end' : 'Pause all now?'}
      cancel={isUseless ? 'Close' : 'Cancel'}
      confirm={
        isUseless ? undefined : (
          <BusyButton
            isBusy={isPending}
            isInert={isPending || isSame || !isValid}
            onClick={() => mutate(until)}
          >
            {isOn ? 'Save the end' : (copy?.confirm ?? 'Pause all')}
          </BusyButton>
        )
      }
    >
      <Stack gap="md" aria-busy={query.isFetching}>
        {!isOn && (
          <QueryContent
            query={query}
            data={copy ?? undefined}
            heights={[24]}
            failure="Your campaigns couldn’t be counted."
          >
            {({ sentences }) => <Text role="status">{sentences.join(' ')}</Text>}
          </QueryContent>
        )}
        {!isUseless && <EndChoice {...{ end, setEnd, chosen, setChosen, isValid, now }} />}
      </Stack>
    </ConfirmDialog>
  );
}

function usePauseAll(isOn: boolean, onClose: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (until: Instant | null) =>
      call(pauseAllApi.pauseAll, { body: { until: until === null ? null : new Date(until).toISOString() } }),
    onSuccess: async () => {
      readAgain(client, false);
      // The banner takes the focus: the button goes.
      await client.refetchQueries({ queryKey: keys.userStatus }, { cancelRefetch: false });
      onClose();
      if (!isOn) focusPausedAll();
    },
    onError: (error) => {
      notifyFailure(isOn ? 'Failed to change the end' : 'Failed to pause all', error);
      readAgain(client, false);
    },
  });
}

interface EndChoiceProps {
  end: End;
  setEnd: (end: End) => void;
  /** As its field has it. */
  chosen: string;
  setChosen: (chosen: string) => void;
  isValid: boolean;
  now: Instant;
}

function EndChoice({ end, setEnd, chosen, setChosen, isValid, now }: EndChoiceProps) {
  return (
    <>
      <Radio.Group label="Resume them" value={end} onChange={setEnd}>
        <Stack gap="xs" mt="xs">
          <Radio value="none" label="When I choose “Resume all”" />
          <Radio value="hour" label="In 1 hour" description={timeOf('hour', now)} />
          <Radio value="hours" label="In 4 hours" description={timeOf('hours', now)} />
          <Radio value="morning" label="Tomorrow at 8:00 AM" description={timeOf('morning', now)} />
          <Radio value="chosen" label="At another time" />
        </Stack>
      </Radio.Group>
      {end === 'chosen' && (
        <TextInput
          type="datetime-local"
          label="Resume at"
          description="In your time zone."
          value={chosen}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          error={chosen !== '' && !isValid && 'Choose a time between 5 minutes and 30 days from now.'}
        />
      )}
    </>
  );
}

/** In the user's own time zone. */
function endOf(end: Exclude<End, 'chosen'>, now: Instant): Instant | null {
  if (end === 'none') return null;
  if (end !== 'morning') return now + hours(end === 'hour' ? 1 : 4);
  const morning = new Date(now);
  morning.setDate(morning.getDate() + 1);
  return morning.setHours(8, 0, 0, 0);
}

/** As a field of the user's own time zone has it; empty: no end. */
function ownMinute(until: string | null): string {
  if (until === null) return '';
  const at = new Date(until);
  return new Date(at.getTime() - minutes(at.getTimezoneOffset())).toISOString().slice(0, 16);
}

function timeOf(end: 'hour' | 'hours' | 'morning', now: Instant): string {
  return atOrOnTime(endOf(end, now) ?? now, now);
}
